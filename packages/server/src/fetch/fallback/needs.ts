import { routeOf } from "@pergamon-dev/kit/url";
import { lacksOf, SCRIPTS } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { HostMemory } from "./host-memory.ts";
import type { Judged } from "./judge.ts";
import { textOfPage, wordsOf } from "./static-page.ts";

/** An engine that makes this much more text of a page was worth its cost. */
const WORTHWHILE_TEXT = 1.3;

/** What is missing in what an engine brought. */
export interface Need {
  /** What an engine has to offer that brings it. Not empty. */
  readonly capabilities: readonly string[];
  /** Whether the visit asked for some of it; otherwise what came was seen, or guessed, to be a shell. */
  readonly isAsked: boolean;
  /** True when what came may well be all that there is. */
  readonly isGuess: boolean;
  /** The same in words. */
  readonly because: string;
}

/** What another engine would be needed for; undefined when nothing is missing. */
export function needOf(result: Judged, visit: Visit, hosts: HostMemory): Need | undefined {
  const asked = result.isShown ? lacksOf(result.engine, askedOf(visit, result)) : [];
  const scripts = needsScripts(result, visit, hosts) ? lacksOf(result.engine, [SCRIPTS]) : [];
  const capabilities = [...asked, ...scripts];
  if (capabilities.length === 0) return undefined;
  const isAsked = asked.length > 0;
  const because = isAsked ? askedFor(asked) : wordsOf(result.judgement);
  return { capabilities, isAsked, isGuess: !isAsked && result.judgement?.isGuess === true, because };
}

/** What a visit wants that an engine lacks, in words. */
export function askedFor(features: readonly string[]): string {
  return `the request asks for ${features.join(", ")}`;
}

/** Only scripts read the route in an address. */
function askedOf({ browserFeatures, url }: Visit, { isPage }: Judged): readonly string[] {
  return isPage && routeOf(new URL(url).hash) !== "" ? [...browserFeatures, SCRIPTS] : browserFeatures;
}

function needsScripts({ judgement, capture, isBlocked }: Judged, visit: Visit, hosts: HostMemory): boolean {
  if (!judgement?.needsBrowser) return false;
  // Scripts change nothing of what was sent.
  if (visit.asReceived && !isBlocked && capture.body.byteLength > 0) return false;
  return !judgement.isGuess || !hosts.recall(capture.url).isThin;
}

/** A guess that was wrong is not made again for this host. */
export function learnFromGuess(before: Judged, after: Judged, hosts: HostMemory): void {
  if (textOfPage(after.capture) <= textOfPage(before.capture) * WORTHWHILE_TEXT) {
    hosts.learn(before.capture.url, { isThin: true });
  }
}
