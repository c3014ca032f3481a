import { openEngines } from "../visit/engines/all.ts";
import type { CountText } from "../visit/ladder/lost-text.ts";
import { type Ladder, openLadder } from "../visit/ladder/ladder.ts";
import { browserStages } from "../visit/stages/all.ts";
import type { BrowserStage } from "../visit/stages/stage.ts";
import { openEmulation } from "../visit/stages/emulation.ts";
import { openCurrentAdLists } from "./ad-lists.ts";
import { openBrowsers } from "./browsers.ts";
import type { AppContext } from "./context.ts";
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
  { stores, network, kept: { profiles }, countText }: VisitNeeds,
): Visits {
  const { config, log, resources } = context;
  const { guard, client } = network;
  const { savesProfiles } = config.browser;
  const emulation = openEmulation();
  const browsers = openBrowsers(context, guard, emulation);
  for (const { shell, headful } of Object.values(browsers))
    for (const pool of [shell, headful]) resources.add(pool, (opened) => opened.close());
  const adLists = openCurrentAdLists(context, { stores, network });
  const stages = browserStages({ emulation, adLists, profiles, savesProfiles, log });
  const ladder = openLadder({
    engines: openEngines({ client, browsers, stages }),
    proxies: () => config.network.proxies,
    countText,
  });
  const sessionStages = browserStages({ emulation, adLists, profiles, savesProfiles: true, log });
  return { ladder, sessionStages };
}
