import cluster from "node:cluster";

import type { OperatorSessions } from "../accounts/operator-sessions.ts";
import type { Config } from "../config/config.ts";
import { type Metrics, openMetrics } from "../operator/health/metrics.ts";
import { Drain } from "@pergamon-dev/kit/drain";
import type { Gate } from "@pergamon-dev/kit/gate";
import type { Log } from "@pergamon-dev/kit/log/log";
import { watchPauses } from "@pergamon-dev/kit/loop/loop-pauses";
import { type Pressure, watchPressure } from "@pergamon-dev/kit/pressure";
import { Resources } from "@pergamon-dev/kit/resources";
import { HeldBodies } from "../api/held-bodies.ts";
import { countDueJobs } from "../jobs/queue/job-rows.ts";
import type { RunServices } from "../scrape/run.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import { Charges } from "../accounts/charges.ts";
import { type Accounts, openAccounts, releaseHolds } from "./accounts.ts";
import type { AppContext, LentThreads } from "./context.ts";
import { type Families, openFamilies } from "./families.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { type InteractPart, openInteract } from "./interact.ts";
import { openRetainedData, type RetainedData } from "./retained-data.ts";
import { openLiveSettings } from "./live-settings.ts";
import { openModels } from "./language-models.ts";
import { openNetwork } from "./network.ts";
import { openNodes } from "./nodes.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import type { Files } from "../files/files.ts";
import { openGate, openScraping } from "./scraping.ts";
import { type OpenedServer, openServer } from "./server.ts";
import { openTools } from "./tools.ts";
import { openStores, type Stores } from "./stores.ts";

/** The service, composed and ready to listen or to be called in this process. */
export interface App extends OpenedServer {
  readonly services: RunServices;
  readonly families: Families;
  readonly accounts: Accounts;
  readonly tools: ToolServices;
  readonly interact: InteractPart;
  /** What answers link to. */
  readonly files: Files;
  readonly operatorSessions: OperatorSessions;
  readonly bodies: HeldBodies;
  close(): Promise<void>;
}

/** Composes the service: one line per part. @param lent shared with other services of this process. */
export async function openApp(config: Config, log: Log, lent?: LentThreads): Promise<App> {
  const resources = new Resources();
  try {
    const bodies = new HeldBodies(config.server.bodyMemoryBytes);
    return await compose({ config, log, resources, lent, bodies });
  } catch (failure) {
    await resources.close().catch(() => {});
    throw failure;
  }
}

/** What `/metrics` counts. */
interface FigureNeeds {
  readonly gate: Gate;
  readonly stores: Stores;
  readonly kept: Pick<RetainedData, "health">;
}

function openFigures({ config, resources }: AppContext, { gate, stores, kept }: FigureNeeds): Metrics {
  const { database } = stores;
  const metrics = openMetrics({
    fetching: () => gate.running,
    waiting: () => gate.waiting,
    limit: () => config.scraping.concurrency,
    dueJobs: () => countDueJobs(database, database.nowMs?.() ?? Date.now()),
    parts: () => kept.health.own(),
    worker: cluster.worker?.id,
  });
  resources.add(watchPauses(metrics.observePause), (watching) => watching.stop());
  return metrics;
}

function openPressure({ log, resources }: AppContext): Pressure {
  const onBlocked = (blockedMs: number) =>
    log.warn({ blockedMs: Math.round(blockedMs) }, "The service was blocked.");
  return resources.add(watchPressure({ onBlocked }), (watching) => watching.stop());
}

async function compose(started: AppContext): Promise<App> {
  const stores = await openStores(started);
  const settings = await openLiveSettings(started, stores);
  const context = { ...started, config: settings.config };
  const network = openNetwork(context);
  const accounts = await openAccounts(context, stores);
  const nodes = openNodes(context, { stores, accounts });
  const drain = new Drain();
  await releaseHolds(context, stores, accounts);
  const kept = await openRetainedData(context, stores);
  startHousekeeping(context, { stores, kept, accounts, network });
  const charges = new Charges<ScrapeRecord>({ ...accounts, ...kept });
  const gate = openGate(context);
  const metrics = openFigures(context, { gate, stores, kept });
  const { countScrape } = metrics;
  const models = openModels(context, { kept, metrics });
  const pressure = openPressure(context);
  const ground = { stores, network, accounts, kept, models, nodes, pressure };
  const scraping = await openScraping(context, { ...ground, charges, gate, countScrape });
  const { services, sessionStages: stages, matchPatterns, compareVersions } = scraping;
  const tools = openTools(context, { ...ground, services });
  const interact = await openInteract(context, { ...ground, services, stages });
  const families = await openFamilies(context, {
    ...ground,
    interact,
    tools,
    services,
    matchPatterns,
    compareVersions,
  });
  const parts = { ...ground, services, families, tools, interact, metrics, settings, drain };
  const opened = await openServer(context, parts);
  const { files, operatorSessions } = kept;
  const close = () => context.resources.close();
  const { bodies } = context;
  return { ...opened, services, families, accounts, tools, interact, files, operatorSessions, bodies, close };
}
