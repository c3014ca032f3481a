import { routeOf } from "@pergamon-dev/kit/url";
import { lacksOf, SCRIPTS } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { HostMemory } from "./host-memory.ts";
import type { Judged } from "./judge.ts";
import { textOfPage, wordsOf } from "./static-page.ts";

/** An engine that gets this many times as much text was worth its cost. */
const WORTHWHILE_TEXT = 1.3;

/** Describes the gaps in an engine's result. */
export interface Need {
  /** Capabilities that an engine needs to provide it. Not empty. */
  readonly capabilities: readonly string[];
  /** Whether the visit asked for some of it. Otherwise the result is, or may be, an empty shell of a page. */
  readonly isAsked: boolean;
  /** True when the result may well be complete. */
  readonly isGuess: boolean;
  /** The need in words. */
  readonly because: string;
}

/** Returns the need for another engine. Undefined when nothing is missing. */
export function needOf(result: Judged, visit: Visit, hosts: HostMemory): Need | undefined {
  const asked = result.isShown ? lacksOf(result.engine, askedOf(visit, result)) : [];
  const scripts = needsScripts(result, visit, hosts) ? lacksOf(result.engine, [SCRIPTS]) : [];
  const capabilities = [...asked, ...scripts];
  if (capabilities.length === 0) return undefined;
  const isAsked = asked.length > 0;
  const because = isAsked ? askedFor(asked) : wordsOf(result.judgement);
  return { capabilities, isAsked, isGuess: !isAsked && result.judgement?.isGuess === true, because };
}

/** Describes features that an engine lacks. */
export function askedFor(features: readonly string[]): string {
  return `the request asks for ${features.join(", ")}`;
}

/** Only scripts read the route in the fragment of an address. */
function askedOf({ browserFeatures, url }: Visit, { isPage }: Judged): readonly string[] {
  return isPage && routeOf(new URL(url).hash) !== "" ? [...browserFeatures, SCRIPTS] : browserFeatures;
}

function needsScripts({ judgement, capture, isBlocked }: Judged, visit: Visit, hosts: HostMemory): boolean {
  if (!judgement?.needsBrowser) return false;
  // Scripts do not change the body as sent.
  if (visit.asReceived && !isBlocked && capture.body.byteLength > 0) return false;
  return !judgement.isGuess || !hosts.recall(capture.url).isThin;
}

/**
 * Remembers a wrong guess, so that it is not repeated for this host. Pages that block teach nothing, nor do
 * those whose scripts are not done.
 */
export function learnFromGuess(before: Judged, after: Judged, hosts: HostMemory): void {
  if (before.isBlocked || after.isBlocked || after.judgement?.isPending === true) return;
  if (textOfPage(after.capture) <= textOfPage(before.capture) * WORTHWHILE_TEXT) {
    hosts.learn(before.capture.url, { isThin: true });
  }
}
