import type { DoctorResult } from "./check.ts";
import { checks } from "./checks.ts";
import { lastUseMs, type PartState, RECENT_MS } from "../../storage/part-health.ts";

/** Names of parts whose uses in the last ten minutes all succeeded. Testing these tells nothing new. */
export function recentlyWorked(states: readonly PartState[], nowMs: number): ReadonlySet<string> {
  const used = states.filter((state) => isRecent(state, nowMs));
  const failed = new Set(used.filter(hasFailed).map(({ part }) => part));
  return new Set(used.map(({ part }) => part).filter((part) => !failed.has(part)));
}

/**
 * Adds the last use of each part to its result. A part is a problem when its last use failed within ten
 * minutes and no test has succeeded since. Parts whose state only their use shows come last.
 */
export function withLastUse(
  results: readonly DoctorResult[],
  states: readonly PartState[],
  nowMs: number,
): readonly DoctorResult[] {
  const known = new Set(results.map(({ name }) => name));
  const others = [...new Set(states.map(({ part }) => part))].filter((name) => !known.has(name));
  const found = others.map((name): DoctorResult => ({ name, status: "found", detail: "in use" }));
  return [...results, ...found].map((result) => {
    const uses = states.filter(({ part }) => part === result.name);
    return uses.length === 0 ? result : judged(result, uses, nowMs);
  });
}

function judged(result: DoctorResult, uses: readonly PartState[], nowMs: number): DoctorResult {
  const failed = uses.filter((use) => hasFailed(use) && isRecent(use, nowMs) && !isTestedSince(result, use));
  const isFailing = result.status === "problem";
  const words = uses.map((use) => (isFailing ? lastSuccess(use, nowMs) : wordsOf(use, nowMs)));
  const detail = [result.detail.replace(/\.$/, ""), ...words].join(". ");
  if (failed.length === 0 || isFailing) return { ...result, detail };
  const advice = { ...OTHER_ADVICE, ...adviceOf(result.name) };
  return { ...advice, ...result, status: "problem", detail };
}

const OTHER_ADVICE = {
  cost: "Requests that need it fail, or are answered without it.",
  remedy: "Remove that reason, then send such a request again. The log has the details.",
};

function adviceOf(name: string): Pick<DoctorResult, "cost" | "remedy"> {
  const { cost, remedy } = checks.find((check) => check.name === name) ?? {};
  return { ...(cost !== undefined && { cost }), ...(remedy !== undefined && { remedy }) };
}

function hasFailed({ failuresInRow }: PartState): boolean {
  return failuresInRow > 0;
}

function isRecent(use: PartState, nowMs: number): boolean {
  return nowMs - lastUseMs(use) < RECENT_MS;
}

function isTestedSince({ workedAtMs = 0 }: DoctorResult, { lastFailureMs }: PartState): boolean {
  return workedAtMs > (lastFailureMs ?? 0);
}

/** One sentence with the last outcome, its reason and how often it happened. */
function wordsOf(use: PartState, nowMs: number): string {
  const { lastFailureMs, problem, successes, failures } = use;
  const uses = successes + failures;
  const rate = failures > 0 && uses > 1 ? [`${failures} of ${uses} uses in that hour failed`] : [];
  const success = lastSuccess(use, nowMs);
  if (!hasFailed(use)) return [success, ...rate].join("; ");
  const reason = (problem ?? "reason unknown").replace(/\.$/, "");
  return [`${nameOf(use)} failed ${ago(lastFailureMs ?? nowMs, nowMs)} (${reason})`, ...rate, success].join(
    "; ",
  );
}

function lastSuccess(use: PartState, nowMs: number): string {
  const { lastSuccessMs } = use;
  if (lastSuccessMs === null) return `${nameOf(use)} has never worked`;
  return `${nameOf(use)} last worked ${ago(lastSuccessMs, nowMs)}`;
}

function nameOf({ target }: PartState): string {
  return target === "" ? "It" : target;
}

function ago(atMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.round((nowMs - atMs) / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}
