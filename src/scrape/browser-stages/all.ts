import type { BrowserStage } from "./stage.ts";
import { actions } from "./actions.ts";
import { emulation } from "./emulation.ts";
import { handOver } from "./hand-over.ts";
import { requestHeaders } from "./request-headers.ts";
import { screenshot } from "./screenshot.ts";
import { waitFor } from "./wait-for.ts";

/** One line per stage of a visit by browser, in the order in which their hooks run. */
export const stages: readonly BrowserStage[] = [
  handOver,
  emulation,
  requestHeaders,
  waitFor,
  actions,
  screenshot,
];
