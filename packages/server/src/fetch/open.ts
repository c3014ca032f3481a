import { type Context, reporter } from "../config/context.ts";
import { ServiceError } from "../api/errors.ts";
import { Gate } from "@pergamon-dev/kit/gate";
import { latest } from "@pergamon-dev/kit/latest";
import type { Net } from "../net/open.ts";
import type { Proxy } from "../net/proxies.ts";
import type { ProfileContext } from "../profiles/open.ts";
import type { Storage } from "../storage/open.ts";
import { PARTS, type PartUse } from "../storage/part-health.ts";
import { type AdLists, openAdLists } from "./ad-lists.ts";
import { openBrowsers } from "./browsers.ts";
import { openEngines } from "./engines/all.ts";
import { type Fallback, openLadder } from "./fallback/fallback.ts";
import type { CountText } from "./fallback/lost-text.ts";
import { openPageCache, type PageCache } from "./page-cache/page-cache.ts";
import { browserStages } from "./stages/all.ts";
import { openEmulation } from "./stages/emulation.ts";
import type { BrowserStage } from "./stages/stage.ts";
import { openThreatClassifier } from "./threats/drivers.ts";
import type { ThreatClassifier } from "./threats/classifier.ts";

export interface Fetching {
  readonly fallback: Fallback;
  /** Limits the pages that are fetched at once, and those that wait for that. */
  readonly gate: Gate;
  readonly cache: PageCache;
  readonly threatClassifier: ThreatClassifier | undefined;
  /** Stages for the pages of sessions, which save their profiles when they end. */
  readonly sessionStages: readonly BrowserStage[];
}

type FetchContext = Context & Storage & Net & ProfileContext & { readonly countText: CountText };

export async function openFetch(context: FetchContext): Promise<Fetching> {
  const { config, log, resources, client, health, profiles, countText } = context;
  const cache = openCache(context);
  const { savesProfiles } = config.browser;
  const emulation = openEmulation();
  const browsers = resources.add(openBrowsers(context, emulation), (opened) => opened.close());
  const adLists = openCurrentAdLists(context);
  const stages = browserStages({ emulation, adLists, profiles, savesProfiles, log });
  const fallback = openLadder({
    engines: openEngines({ client, browsers, stages }),
    proxies: () => config.network.proxies,
    onProxy: (proxy, works) => health.note(proxyUse(proxy, works)),
    countText,
  });
  const sessionStages = browserStages({ emulation, adLists, profiles, savesProfiles: true, log });
  const { classifier } = config.threats;
  const threatClassifier =
    classifier && (await openThreatClassifier(classifier.url, { client, ...classifier }));
  return { fallback, gate: openGate(config), cache, threatClassifier, sessionStages };
}

function openCache({ config, resources, teamData, database, blobs }: Context & Storage): PageCache {
  const cache = openPageCache({
    database,
    blobs,
    get maxBytes() {
      return config.stores.cacheMaxBytes;
    },
    scope: config.stores.cacheScope,
  });
  resources.whenIdle(() => cache.letGo());
  return teamData.add(resources.add(cache, (opened) => opened.close()));
}

/** Sent to clients when too many requests are waiting. */
const RETRY_AFTER_SECONDS = 5;

function openGate({ scraping }: Context["config"]): Gate {
  return new Gate(scraping.concurrency, {
    most: scraping.queue,
    overflow: () => new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
}

/** The filter lists that are currently set. */
function openCurrentAdLists({ config, log, resources, blobs, client }: FetchContext): AdLists {
  const onError = reporter(log, "An ad list could not be fetched.");
  let opened: AdLists | undefined;
  const current = latest(
    () => config.browser.adLists,
    (urls) => {
      void opened?.close();
      return (opened = openAdLists({ urls, blobs, client, onError }));
    },
  );
  resources.add(current, () => opened?.close());
  return {
    blocker: () => current().blocker(),
    refresh: () => current().refresh(),
    close: () => current().close(),
  };
}

/** Omits user name and password. */
function proxyUse({ url }: Proxy, works: boolean): PartUse {
  const target = URL.canParse(url) ? new URL(url).host : "unknown";
  return { part: PARTS.proxies, target, problem: works ? undefined : "It does not connect." };
}
