import { MonitorFamily } from "../monitor/monitor-family.ts";
import { MonitorDesk } from "../monitor/monitor-desk.ts";
import { MonitorPlans } from "../monitor/monitor-plans.ts";
import { monitorChangeSchema, monitorRequestSchema } from "../monitor/monitor-request.ts";
import type { MonitorServices } from "../monitor/monitor-services.ts";
import { Monitors } from "../monitor/monitors.ts";
import { PageStates } from "../monitor/page-states.ts";
import { TeamTurns } from "../monitor/team-turns.ts";
import type { PageServices } from "../jobs/make-page.ts";
import type { JobHandler } from "../jobs/job-handler.ts";
import type { RunPlace } from "../jobs/run-place.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { Secrets } from "../storage/secrets/secrets.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { AppContext } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";
import { openMailServer } from "./network.ts";
import type { RunTools } from "./runs.ts";
import type { Stores } from "./stores.ts";

interface MonitorNeeds extends Pick<MonitorServices, "compareVersions" | "models" | "starter" | "search"> {
  readonly stores: Stores;
  readonly kept: Pick<RetainedData, "health">;
  readonly pages: PageServices;
  readonly secrets: Secrets;
  readonly scrape: () => ReturnType<typeof scrapeRequestSchema>;
}

/** Monitors, and how they are asked for. */
export interface MonitorParts {
  readonly monitors: Monitors;
  readonly desk: MonitorDesk;
}

/** Monitors, whose checks live where runs last. */
export function openMonitors(context: AppContext, needs: MonitorNeeds) {
  let monitors: Monitors | undefined;
  const plans = new MonitorPlans(needs.secrets);

  /** None in memory: nothing of a monitor is left there. */
  function familiesIn(place: RunPlace, tools: RunTools): readonly JobHandler[] {
    if (!place.isLasting) return [];
    const states = new PageStates({ ...needs.stores, clock: place.clock });
    const mail = openMailServer(context, needs.kept);
    const { compareVersions, models, starter, search, pages } = needs;
    const found = { compareVersions, models, starter, search, ...pages };
    const made: MonitorServices = {
      ...found,
      ...tools,
      place,
      plans,
      states,
      mail,
      mailDomains: context.config.mail.recipientDomains,
      coordinator: needs.stores.coordinator,
      publicUrl: context.config.server.publicUrl,
      turns: new TeamTurns(),
    };
    monitors = new Monitors(made);
    return [new MonitorFamily(made)];
  }

  function services(): MonitorParts {
    if (!monitors) throw new Error("The jobs of monitors have no place.");
    const request = lazy(() => monitorRequestSchema(needs.scrape()));
    const change = lazy(() => monitorChangeSchema(needs.scrape()));
    const desk = new MonitorDesk({
      monitors,
      request: (body) => request().parse(body),
      change: (body) => change().parse(body),
    });
    return { monitors, desk };
  }

  return { familiesIn, services };
}
