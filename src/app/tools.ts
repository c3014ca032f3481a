import { startJob } from "../scrape/request/job.ts";
import { type RunServices, runScrape } from "../scrape/run.ts";
import { firecrawlProvider } from "../tools/builtin/firecrawl.ts";
import { pergamonProvider, type ScrapeData } from "../tools/builtin/pergamon.ts";
import { Catalogue } from "../tools/catalogue/catalogue.ts";
import { mountProviders, readProviders } from "../tools/catalogue-file.ts";
import { OptionsValidator } from "../tools/requests/options-validator.ts";
import { AcceptedTerms } from "../tools/requests/terms.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import { shippedProviders } from "../tools/shipped-providers.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import type { KeptStores } from "./kept.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";

interface ToolNeeds {
  readonly stores: Stores;
  readonly network: Network;
  readonly accounts: Accounts;
  readonly kept: KeptStores;
  readonly services: RunServices;
}

/** Everything that requests of provider tools work with. @throws Error when PROVIDERS_FILE has mistakes. */
export function openTools({ config, log }: AppContext, needs: ToolNeeds): ToolServices {
  const { stores, network, accounts, kept, services } = needs;
  const { providersFile, secrets } = config.tools;
  const terms = new AcceptedTerms(stores.database);
  const builtin = [
    firecrawlProvider({ catalogue: () => catalogue, terms }),
    pergamonProvider(scrapeWith(services)),
  ];
  const catalogue: Catalogue = new Catalogue(builtin);
  const kindServices = { guard: network.guard, secrets };
  catalogue.replace([
    ...mountProviders(shippedProviders, "The shipped catalogue", kindServices),
    ...(providersFile === undefined ? [] : readProviders(providersFile, kindServices)),
  ]);
  return {
    catalogue,
    terms,
    rows: kept.toolRequests,
    credits: accounts.credits,
    isOnByDefault: config.accounts.auth === "open",
    validator: new OptionsValidator(),
    coordinator: stores.coordinator,
    onError: reporter(log, "A provider tool failed unexpectedly."),
    clock: Date.now,
  };
}

/** A scrape for a tool, in the caller's name and on its account. */
function scrapeWith(services: RunServices): ScrapeData {
  return async (body, { caller, linkBase, signal }) => {
    const job = startJob(services.plan({ ...body, origin: "tool" }), { caller, linkBase });
    const { answer, facts } = await runScrape(job, services, signal);
    return answer.data(facts);
  };
}
