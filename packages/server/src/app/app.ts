import { openAccounts } from "../accounts/open.ts";
import { HeldBodies } from "../api/held-bodies.ts";
import type { Config } from "../config/config.ts";
import type { Context, RemoteThreads } from "../config/context.ts";
import { openFetch } from "../fetch/open.ts";
import { openFileStore } from "../files/open.ts";
import { openHistory } from "../history/open.ts";
import { openNodes } from "../http/nodes/open.ts";
import { openEntry } from "../http/open.ts";
import { openInteract } from "../interact/open.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import { Resources } from "@pergamon-dev/kit/resources";
import { jobKinds } from "./job-kinds.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import { openNet } from "../net/open.ts";
import { openHealth } from "../operator/health/open.ts";
import { startHousekeeping } from "../operator/housekeeping.ts";
import { openLiveSettings } from "../operator/live-settings.ts";
import { openOperator } from "../operator/open.ts";
import { openProfileStore } from "../profiles/open.ts";
import { openScrape } from "../scrape/open.ts";
import { openPageViews } from "../scrape/page/open.ts";
import { openModels } from "../storage/models/open.ts";
import { openStorage } from "../storage/open.ts";
import { openTools } from "../tools/open.ts";
import { openFamilies } from "./families.ts";
import { endpoints } from "./operations.ts";
import { openServer, type OpenedServer } from "./server.ts";

export type ServiceContext = Awaited<ReturnType<typeof openFeatures>>;

/** The composed service, ready to listen or to be called in this process. */
export type App = ServiceContext & OpenedServer & Pick<Resources, "close" | "rest">;

/** Composes the service. @param lent shared with other services of this process. */
export async function openApp(
  config: Config,
  log: Log,
  lent?: RemoteThreads,
  kinds: readonly JobKind[] = jobKinds,
): Promise<App> {
  const resources = new Resources();
  const bodies = new HeldBodies(config.server.bodyMemoryBytes);
  try {
    const context = await openFeatures({ config, log, resources, lent, bodies, kinds });
    startHousekeeping(context);
    return {
      ...context,
      ...(await openServer(context)),
      close: () => resources.close(),
      rest: () => resources.rest(),
    };
  } catch (failure) {
    await resources.close().catch(() => {});
    throw failure;
  }
}

/** Opens the features. Each gets the context of the lines above it. */
function openFeatures(context: Context) {
  return Promise.resolve({ ...context, endpoints })
    .then(adding(openStorage))
    .then(adding(openLiveSettings))
    .then(adding(openNet))
    .then(adding(openAccounts))
    .then(adding(openNodes))
    .then(adding(openPageViews))
    .then(adding(openHistory))
    .then(adding(openFileStore))
    .then(adding(openProfileStore))
    .then(adding(openFetch))
    .then(adding(openHealth))
    .then(adding(openModels))
    .then(adding(openScrape))
    .then(adding(openTools))
    .then(adding(openInteract))
    .then(adding(openFamilies))
    .then(adding(openEntry))
    .then(adding(openOperator));
}

/** Adds the services of a feature to the context. */
function adding<Below extends object, Feature extends object>(
  open: (context: Below) => Feature | Promise<Feature>,
) {
  return async <Whole extends Below>(context: Whole): Promise<Whole & Feature> => ({
    ...context,
    ...(await open(context)),
  });
}
