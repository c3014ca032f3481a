import { LRUCache } from "lru-cache";

import { ALLOWS_ALL, parseRobots, type RobotsRules } from "../../crawl-rules/robots.ts";
import { ServiceError } from "../../contract/errors.ts";
import { ownFailure } from "../../kit/process/own-failure.ts";
import { SingleFlight } from "../../kit/single-flight.ts";
import type { Ladder } from "./ladder.ts";
import type { Visit } from "../visit.ts";

/** What sites let robots visit. */
export interface Robots {
  /** Asks the site of the visit, unless it did lately. @throws ServiceError SAFE_MODE_BLOCKED when it does not let. */
  refuse(visit: Visit, signal: AbortSignal): Promise<void>;
}

/** What this service is called in robots.txt. */
const PRODUCT_TOKEN = "Pergamon";
/** RFC 9309 has robots read half a megabyte at least, and believe what they have read for a day at most. */
const MAX_BYTES = 1024 * 1024;
const REMEMBERED_MS = 60 * 60 * 1000;
const REMEMBERED_SITES = 1000;
const REMEMBERED_LENGTH = 16 * 1024 * 1024;

const NOTHING: RobotsRules = { ...ALLOWS_ALL, allows: () => false };

export function openRobots(ladder: Ladder): Robots {
  const remembered = new LRUCache<string, { readonly rules: RobotsRules; readonly length: number }>({
    max: REMEMBERED_SITES,
    maxSize: REMEMBERED_LENGTH,
    sizeCalculation: ({ length }) => length + 1,
    ttl: REMEMBERED_MS,
  });
  const asking = new SingleFlight<RobotsRules>();

  async function ask(visit: Visit, origin: string, signal: AbortSignal): Promise<RobotsRules> {
    const known = remembered.get(origin);
    if (known) return known.rules;
    const { status, text } = await read(robotsVisit(visit, origin), ladder, signal);
    const rules = rulesOf(status, text);
    // A site that does not answer may do so in a moment.
    if (rules !== NOTHING) remembered.set(origin, { rules, length: text.length });
    return rules;
  }

  return {
    async refuse(visit, signal) {
      const url = new URL(visit.url);
      const rules = await asking.join(url.origin, signal, (shared) => ask(visit, url.origin, shared));
      if (!rules.allows(url)) throw notAllowed();
    },
  };
}

/** RFC 9309, section 2.3.1: a site without the file allows everything, one that does not answer nothing. */
function rulesOf(status: number, text: string): RobotsRules {
  if (status >= 200 && status <= 299) return parseRobots(text, PRODUCT_TOKEN);
  return status >= 400 && status <= 499 ? ALLOWS_ALL : NOTHING;
}

async function read(visit: Visit, ladder: Ladder, signal: AbortSignal) {
  try {
    const { capture } = await ladder.acquire(visit, signal);
    return { status: capture.statusCode, text: Buffer.from(capture.body).toString("utf8") };
  } catch (failure) {
    if (!(failure instanceof ServiceError) || signal.aborted || ownFailure(failure)) throw failure;
    return { status: 0, text: "" };
  }
}

/** By plain HTTP, on the way that the page itself is going to be visited. */
function robotsVisit(visit: Visit, origin: string): Visit {
  return {
    ...visit,
    url: `${origin}/robots.txt`,
    headers: {},
    proxy: "basic",
    maxBodyBytes: MAX_BYTES,
    browserFeatures: [],
    browser: { ...visit.browser, waitForMs: 0, mobile: false, profile: undefined, actions: [] },
    prefersHttp: true,
    hops: undefined,
  };
}

function notAllowed(): ServiceError {
  const message = "Safe mode respects robots.txt, which does not allow this page.";
  return new ServiceError("SAFE_MODE_BLOCKED", { message });
}
