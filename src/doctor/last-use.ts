import { lastUseMs, RECENT_MS } from "../stores/health/part-health.ts";
import type { PartState } from "../stores/health/part-rows.ts";
import type { DoctorResult } from "./doctor.ts";

/** Parts that were used within the last ten minutes, by name. */
export function recentlyUsed(states: readonly PartState[], nowMs: number): ReadonlySet<string> {
  return new Set(states.filter((state) => nowMs - lastUseMs(state) < RECENT_MS).map(({ part }) => part));
}

/**
 * Adds to what was found how the parts fared when they were last used. A part whose last use, of the last ten minutes, has
 * failed has a problem, whatever was found; parts that only their use shows come last.
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
  const detail = `${result.detail}. ${uses.map((use) => wordsOf(use, nowMs)).join(" ")}`;
  const failed = uses.filter((use) => use.failuresInRow > 0 && nowMs - lastUseMs(use) < RECENT_MS);
  if (failed.length === 0 || result.status === "problem") return { ...result, detail };
  return {
    ...result,
    status: "problem",
    detail,
    cost: result.cost ?? "Requests that need it fail, or are answered without it.",
    remedy: result.remedy ?? "The reason is that of its last failure. The log has the details.",
  };
}

function wordsOf(use: PartState, nowMs: number): string {
  const { target, lastSuccessMs, lastFailureMs, problem, failuresInRow, successes, failures } = use;
  const name = target === "" ? "" : `${target}: `;
  const success = lastSuccessMs === null ? "never succeeded" : `last succeeded ${ago(lastSuccessMs, nowMs)}`;
  const failure = lastFailureMs === null ? "" : `, last failed ${ago(lastFailureMs, nowMs)}`;
  const reason = failuresInRow === 0 || problem === null ? "" : ` (${problem.replace(/\.$/, "")})`;
  return `${name}${success}${failure}${reason}; ${failures} of ${successes + failures} uses in that hour failed.`;
}

function ago(atMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.round((nowMs - atMs) / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}
