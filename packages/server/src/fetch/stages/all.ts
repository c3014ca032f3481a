import type { AdLists } from "../ad-lists.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { Profiles } from "../../profiles/profiles.ts";
import { actions } from "./actions.ts";
import { adBlocking } from "./ad-blocking.ts";
import { brand } from "./brand.ts";
import { consent } from "./consent.ts";
import type { Emulation } from "./emulation.ts";
import { profile } from "./profile.ts";
import { requestHeaders } from "./request-headers.ts";
import { screenshot } from "./screenshot.ts";
import type { BrowserStage } from "./stage.ts";
import { waitFor } from "./wait-for.ts";

interface StageServices {
  readonly emulation: Emulation;
  readonly adLists: AdLists;
  readonly profiles: Profiles;
  /** Whether a scrape saves its profile at its end. Otherwise only an interact session does. */
  readonly savesProfiles: boolean;
  readonly log: Log;
}

/** One line per stage of a browser visit, in the order in which their hooks run. */
export function browserStages(services: StageServices): readonly BrowserStage[] {
  return [
    profile(services),
    services.emulation.stage,
    requestHeaders,
    adBlocking(services.adLists),
    consent,
    waitFor,
    actions,
    brand,
    screenshot,
  ];
}
