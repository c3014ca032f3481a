import cluster from "node:cluster";

import type { OperatorSessions } from "../accounts/operator-sessions.ts";
import type { Config } from "../config/config.ts";
import { openMetrics } from "../http/metrics.ts";
import type { Log } from "../kit/log/log.ts";
import { watchPauses } from "../kit/loop/loop-pauses.ts";
import { Resources } from "../kit/resources.ts";
import type { RunServices } from "../scrape/run.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import { Settlements } from "../work/settlement.ts";
import { type Accounts, openAccounts, releaseHolds } from "./accounts.ts";
import type { AppContext } from "./context.ts";
import { type Families, openFamilies } from "./families.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { type InteractPart, openInteract } from "./interact.ts";
import { openRetainedData } from "./retained-data.ts";
import { openModels } from "./language-models.ts";
import { openNetwork } from "./network.ts";
import { openNodes } from "./nodes.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import type { Files } from "../stores/files/files.ts";
import { openGate, openScraping } from "./scraping.ts";
import { type OpenedServer, openServer } from "./server.ts";
import { openTools } from "./tools.ts";
import { openStores } from "./stores.ts";

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
  close(): Promise<void>;
}

/** Composes the service: one line per part. */
export async function openApp(config: Config, log: Log): Promise<App> {
  const resources = new Resources();
  try {
    return await compose({ config, log, resources });
  } catch (failure) {
    await resources.close().catch(() => {});
    throw failure;
  }
}

async function compose(context: AppContext): Promise<App> {
  const stores = await openStores(context);
  const network = openNetwork(context);
  const accounts = await openAccounts(context, stores);
  const nodes = openNodes(context, { stores, accounts });
  await releaseHolds(context, stores);
  const kept = await openRetainedData(context, stores);
  startHousekeeping(context, { stores, kept, accounts, network });
  const settlements = new Settlements<ScrapeRecord>({ ...accounts, ...kept });
  const gate = openGate(context);
  const metrics = openMetrics({
    fetching: () => gate.running,
    waiting: () => gate.waiting,
    worker: cluster.worker?.id,
  });
  context.resources.add(watchPauses(metrics.observePause), (watching) => watching.stop());
  const { countScrape } = metrics;
  const models = openModels(context, { kept, metrics });
  const scraping = await openScraping(context, {
    stores,
    network,
    accounts,
    kept,
    settlements,
    gate,
    countScrape,
    models,
  });
  const { services, sessionStages: stages, matchPatterns, compareVersions } = scraping;
  const tools = openTools(context, { stores, network, accounts, kept, services });
  const interact = await openInteract(context, {
    stores,
    network,
    accounts,
    kept,
    services,
    stages,
    models,
    nodes,
  });
  const families = await openFamilies(context, {
    interact,
    stores,
    tools,
    services,
    network,
    accounts,
    matchPatterns,
    compareVersions,
    models,
    kept,
    nodes,
  });
  const parts = { nodes, stores, network, accounts, kept, services, families, tools, interact, metrics };
  const opened = await openServer(context, parts);
  const { files, operatorSessions } = kept;
  const close = () => context.resources.close();
  return { ...opened, services, families, accounts, tools, interact, files, operatorSessions, close };
}
