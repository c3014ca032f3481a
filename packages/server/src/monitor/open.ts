import { MonitorFamily } from "./family.ts";
import { MonitorService } from "./service.ts";
import { MonitorPlans } from "./plans.ts";
import { monitorChangeSchema, monitorRequestSchema } from "./request.ts";
import type { MonitorServices } from "./services.ts";
import { Monitors } from "./monitors.ts";
import { PageStates } from "./page-states.ts";
import { TeamTurns } from "./team-turns.ts";
import type { PageServices } from "../jobs/make-page.ts";
import type { JobHandler } from "../jobs/job-handler.ts";
import type { JobStore } from "../jobs/run-place.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { Context } from "../config/context.ts";
import type { Storage } from "../storage/open.ts";
import type { RunTools } from "../jobs/open.ts";

type MonitorNeeds = Context &
  Storage &
  Pick<MonitorServices, "compareVersions" | "models" | "starter" | "search"> & {
    readonly pages: PageServices;
    readonly scrape: () => ReturnType<typeof scrapeRequestSchema>;
  };

export interface MonitorParts {
  readonly monitors: Monitors;
  readonly desk: MonitorService;
}

/** Opens monitors. Their checks are stored with the persistent runs. */
export function openMonitors(context: MonitorNeeds) {
  let monitors: Monitors | undefined;
  const plans = new MonitorPlans(context.secrets);

  /** Memory has no monitors, because they need stored pages. */
  function familiesIn(place: JobStore, tools: RunTools): readonly JobHandler[] {
    if (!place.isLasting) return [];
    const states = new PageStates({ ...context, clock: place.clock });
    const { compareVersions, models, starter, search, pages, mail, coordinator } = context;
    const found = { compareVersions, models, starter, search, ...pages };
    const made: MonitorServices = {
      ...found,
      ...tools,
      place,
      plans,
      states,
      mail,
      mailDomains: context.config.mail.recipientDomains,
      coordinator,
      publicUrl: context.config.server.publicUrl,
      turns: new TeamTurns(),
    };
    monitors = new Monitors(made);
    return [new MonitorFamily(made)];
  }

  function services(): MonitorParts {
    if (!monitors) throw new Error("The jobs of monitors have no place.");
    const request = lazy(() => monitorRequestSchema(context.scrape()));
    const change = lazy(() => monitorChangeSchema(context.scrape()));
    const desk = new MonitorService({
      monitors,
      request: (body) => request().parse(body),
      change: (body) => change().parse(body),
    });
    return { monitors, desk };
  }

  return { familiesIn, services };
}
