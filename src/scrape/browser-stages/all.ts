import type { BrowserStage } from "./stage.ts";
import { handOver } from "./hand-over.ts";
import { requestHeaders } from "./request-headers.ts";
import { waitFor } from "./wait-for.ts";

/** One line per stage of a visit by browser, in the order in which their hooks run. */
export const stages: readonly BrowserStage[] = [handOver, requestHeaders, waitFor];
