import type { AdLists } from "../../platform/browser/ads/ad-lists.ts";
import { actions } from "./actions.ts";
import { adBlocking } from "./ad-blocking.ts";
import { emulation } from "./emulation.ts";
import { handOver } from "./hand-over.ts";
import { requestHeaders } from "./request-headers.ts";
import { screenshot } from "./screenshot.ts";
import type { BrowserStage } from "./stage.ts";
import { waitFor } from "./wait-for.ts";

/** What stages work with beside the tab. */
export interface StageServices {
  readonly adLists: AdLists;
}

/** One line per stage of a visit by browser, in the order in which their hooks run. */
export function browserStages({ adLists }: StageServices): readonly BrowserStage[] {
  return [handOver, emulation, requestHeaders, adBlocking(adLists), waitFor, actions, screenshot];
}
