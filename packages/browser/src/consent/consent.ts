import { type ConsentEngine, openConsentEngine } from "./consent-engine.ts";
import { watchEffects } from "../input/effects.ts";
import { callInPage, hasLeft, PageScriptError } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";
import * as programs from "../programs/consent.ts";
import { refuseDialog } from "../programs/consent-dialog.ts";
import { CONSENT_REFUSALS, CONSENT_SUBJECT } from "./dialog-words.ts";
import { refuseInFrame } from "./dialog-frames.ts";

/** By what a notice is known. */
export interface ConsentNames {
  /** Ids and classes of the roots of consent managers. */
  readonly roots: readonly string[];
  /** Source of a regular expression, without case: names that sites give their own notices. */
  readonly ownNames: string;
}

/** A refusal that takes longer has gone wrong. */
const LIMIT_MS = 4_000;
/** A page that opens another one meanwhile is asked again there. */
const ATTEMPTS = 2;
/** After this without a notice that the rules know, there is none. Counts from when the script has its rules. */
const DETECTION_LIMIT_MS = 1_000;

/** What the script says. */
interface EngineMessage {
  readonly type: string;
  readonly url?: string;
  readonly id?: string;
  readonly code?: string;
  readonly result?: boolean;
}

/**
 * Refuses what a consent notice asks for, and takes the notice off the page. Costs one look when there is none.
 * @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted.
 */
export async function refuseConsent(
  tab: BrowserTab,
  { roots, ownNames }: ConsentNames,
  signal: AbortSignal,
): Promise<void> {
  const names = [roots, ownNames];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const outcome = await tryToRefuse(tab, names, signal);
    if (outcome === "no notice") return refuseUnknown(tab, signal);
    if (outcome === "refused") break;
  }
  try {
    await callInPage(tab, programs.removeNotices, names, signal);
  } catch (failure) {
    throwUnlessOfPage(failure);
  }
}

/** A dialog whose names say nothing is known by what it speaks of, and by its button. */
async function refuseUnknown(tab: BrowserTab, signal: AbortSignal): Promise<void> {
  const effects = watchEffects(tab);
  const words = [CONSENT_SUBJECT, CONSENT_REFUSALS];
  try {
    const isRefused =
      (await callInPage<boolean>(tab, refuseDialog, words, signal)) ||
      (await refuseInFrame(tab, words, signal));
    if (isRefused) await effects.settled(signal);
  } catch (failure) {
    throwUnlessOfPage(failure);
  } finally {
    effects.stop();
  }
}

async function tryToRefuse(
  tab: BrowserTab,
  names: readonly unknown[],
  signal: AbortSignal,
): Promise<"no notice" | "refused" | "page lost"> {
  try {
    if (!(await callInPage<boolean>(tab, programs.seesNotice, names, signal))) return "no notice";
  } catch (failure) {
    throwUnlessOfPage(failure);
    return "page lost";
  }
  const effects = watchEffects(tab);
  let isLost = false;
  try {
    await refuse(tab, await openConsentEngine(), signal);
  } catch (failure) {
    throwUnlessOfPage(failure);
    isLost = true;
  }
  await effects.settled(signal);
  return isLost ? "page lost" : "refused";
}

/** A page that went on to another one, or broke the script, is taken as it is. */
function throwUnlessOfPage(failure: unknown): void {
  if (!hasLeft(failure) && !(failure instanceof PageScriptError)) throw failure;
}

/** Lets the script find the notice and press its buttons, until it is done. */
async function refuse(tab: BrowserTab, engine: ConsentEngine, signal: AbortSignal): Promise<void> {
  await callInPage(tab, programs.openMessageQueue, [], signal);
  await callInPage(tab, `() => {${engine.script}\n}`, [], signal);
  let startMs = performance.now();
  let limitMs = DETECTION_LIMIT_MS;
  let hasRules = false;
  for (;;) {
    const remainingMs = startMs + limitMs - performance.now();
    if (remainingMs <= 0) return;
    for (const message of await callInPage<readonly EngineMessage[]>(
      tab,
      programs.nextMessages,
      [remainingMs],
      signal,
    )) {
      if (message.type === "popupFound") limitMs = LIMIT_MS;
      if (message.type === "autoconsentDone" || (message.type === "optOutResult" && !message.result)) return;
      const reply = await answer(tab, message, engine, signal);
      if (reply) await callInPage(tab, programs.reply, [reply], signal);
      if (message.type === "init" && !hasRules) {
        hasRules = true;
        startMs = performance.now();
      }
    }
  }
}

async function answer(
  tab: BrowserTab,
  { type, url = "", id, code = "" }: EngineMessage,
  engine: ConsentEngine,
  signal: AbortSignal,
): Promise<object | undefined> {
  if (type === "init") return engine.instructions(url);
  if (type !== "eval") return undefined;
  // Some managers can only be asked in the page's own world.
  const { result, exceptionDetails } = await tab.session.send(
    "Runtime.evaluate",
    { expression: code, returnByValue: true, awaitPromise: true, timeout: DETECTION_LIMIT_MS },
    { signal },
  );
  return { type: "evalResp", id, result: exceptionDetails ? false : Boolean(result.value) };
}
