import { type AgentModel, startAgentModel } from "../agent-model.ts";
import { openCrawlSite } from "../crawls.ts";
import { htmlPage, type Site } from "../site.ts";
import { openWorld } from "../world.ts";
import { InstalledClients } from "./clients.ts";

/** A service with a model that plays scripts, a site, and the clients that are for them. */
export interface Surroundings {
  readonly model: AgentModel;
  readonly site: Site;
  readonly clients: InstalledClients;
  close(): Promise<void>;
}

/** The site has three pages that lead to each other, one of ships, and one that never answers. */
export async function openSurroundings(): Promise<Surroundings> {
  const model = await startAgentModel();
  const world = await openWorld(model.settings);
  const site = await openCrawlSite({ "/": ["/a", "/b"], "/a": [], "/b": ["/"] });
  site.page("/hanging", () => undefined);
  site.page("/ships", htmlPage("<main><h1>Schooners</h1><p>Anna carries 1200 tonnes of timber.</p></main>"));
  const clients = await InstalledClients.open(world.baseUrl);
  return {
    model,
    site,
    clients,
    async close() {
      await clients.close();
      await site.close();
      await world.close();
      model.close();
    },
  };
}
