import { latest } from "@pergamon-dev/kit/latest";
import { type AdLists, openAdLists } from "../fetch/ad-lists.ts";
import { openEngines } from "../fetch/engines/all.ts";
import type { CountText } from "../fetch/fallback/lost-text.ts";
import { type Ladder, openLadder } from "../fetch/fallback/fallback.ts";
import { browserStages } from "../fetch/stages/all.ts";
import type { BrowserStage } from "../fetch/stages/stage.ts";
import type { Proxy } from "../net/proxies.ts";
import { openEmulation } from "../fetch/stages/emulation.ts";
import { openBrowsers } from "./browsers.ts";
import { type AppContext, reporter } from "./context.ts";
import { PARTS, type PartUse } from "../operator/health/part-health.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";

interface VisitNeeds {
  readonly stores: Stores;
  readonly network: Network;
  readonly kept: RetainedData;
  readonly countText: CountText;
}

interface Visits {
  readonly ladder: Ladder;
  /** What the pages of sessions are opened with: they save their profiles when they are left. */
  readonly sessionStages: readonly BrowserStage[];
}

/** Every way of getting a page. */
export function openVisits(
  context: AppContext,
  { stores, network, kept: { profiles, health }, countText }: VisitNeeds,
): Visits {
  const { config, log, resources } = context;
  const { guard, client } = network;
  const { savesProfiles } = config.browser;
  const emulation = openEmulation();
  const browsers = openBrowsers(context, { guard, emulation, health });
  for (const { shell, headful } of Object.values(browsers))
    for (const pool of [shell, headful]) resources.add(pool, (opened) => opened.close());
  const adLists = openCurrentAdLists(context, { stores, network });
  const stages = browserStages({ emulation, adLists, profiles, savesProfiles, log });
  const ladder = openLadder({
    engines: openEngines({ client, browsers, stages }),
    proxies: () => config.network.proxies,
    onProxy: (proxy, works) => health.note(proxyUse(proxy, works)),
    countText,
  });
  const sessionStages = browserStages({ emulation, adLists, profiles, savesProfiles: true, log });
  return { ladder, sessionStages };
}

/** The filter lists that are set at the moment. */
function openCurrentAdLists(
  { config, log, resources }: AppContext,
  { stores: { blobs }, network: { client } }: { readonly stores: Stores; readonly network: Network },
): AdLists {
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

/** Without user name and password. */
function proxyUse({ url }: Proxy, works: boolean): PartUse {
  const target = URL.canParse(url) ? new URL(url).host : "unknown";
  return { part: PARTS.proxies, target, problem: works ? undefined : "It does not connect." };
}
