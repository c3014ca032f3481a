import { within } from "@pergamon-dev/kit/deadline";
import type { Check, RunningService } from "./check.ts";
import { checks } from "./checks.ts";
import { lastUseMs, PARTS, type PartState, RECENT_MS } from "../../storage/part-health.ts";

export interface AskedPart extends Pick<Check, "name" | "isBrief" | "isOptional" | "cost" | "remedy"> {
  /** @throws when the part does not work. */
  ask(): Promise<void>;
}

export function askedParts(service: RunningService): readonly AskedPart[] {
  return checks.flatMap(({ ask, ...check }) => (ask ? { ...check, ask: () => ask(service) } : []));
}

/** A part in `/readyz`. That endpoint is public, so it shows only the name and a code. */
interface PartReadiness {
  readonly name: string;
  readonly ok: boolean;
  /** False when the service is ready without this part. */
  readonly required?: false;
  readonly code?: string;
}

interface FailureLog {
  warn(facts: { readonly part: string; readonly err: unknown }, message: string): void;
}

/**
 * Asks all parts. The log gets the details of failures, those of a part that may be missing for good only once.
 * @param uses other parts, as this process has used them.
 */
export async function readinessOf(
  parts: readonly AskedPart[],
  uses: readonly PartState[],
  log: FailureLog,
): Promise<readonly PartReadiness[]> {
  const asked = await Promise.all(parts.map((part) => readinessOfPart(part, log)));
  return [...asked, ...readinessByUse(uses)];
}

/** A part that needs longer than this does not work. */
const ANSWER_TIMEOUT_MS = 2000;

/** Optional parts whose failure is in the log. */
const told = new WeakSet<AskedPart>();

async function readinessOfPart(part: AskedPart, log: FailureLog): Promise<PartReadiness> {
  const { name, isOptional } = part;
  const kind = isOptional === true ? { required: false as const } : {};
  try {
    await askPart(part);
    told.delete(part);
    return { name, ok: true, ...kind };
  } catch (failure) {
    if (!told.has(part)) log.warn({ part: name, err: failure }, "A component of the service has failed.");
    if (isOptional) told.add(part);
    return { name, ok: false, ...kind, code: codeOf(failure) };
  }
}

/** @throws when the part does not work, or does not answer in time. */
export function askPart({ ask }: AskedPart): Promise<void> {
  const tooLate = () => new AnswerTimeout(`No answer within ${ANSWER_TIMEOUT_MS} ms.`);
  return within(ANSWER_TIMEOUT_MS, ask(), tooLate);
}

const CODE = /^[A-Z][A-Z0-9_]{1,60}$/;
const MAX_CAUSES = 10;

/** The error code of the root cause, such as ENOSPC. For SQLite it includes SQLite's own number. */
function codeOf(failure: unknown): string {
  let code = "FAILED";
  let error = failure;
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const { code: own, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
    const number = typeof errcode === "number" ? `_${errcode}` : "";
    if (typeof own === "string" && CODE.test(own)) code = own + number;
    error = error.cause;
  }
  return code;
}

class AnswerTimeout extends Error {
  readonly code = "TIMEOUT";
}

/** Names of models and proxies stay private, so targets are left out. */
function readinessByUse(uses: readonly PartState[]): readonly PartReadiness[] {
  const recent = uses.filter((use) => Date.now() - lastUseMs(use) <= RECENT_MS);
  return [...new Set(recent.map(({ part }) => part))].map((name) => {
    const own = recent.filter(({ part }) => part === name);
    const ok = own.every(({ failuresInRow }) => failuresInRow === 0);
    return {
      name,
      ok,
      ...(!ok && { code: "LAST_USE_FAILED" }),
      ...(!own.some(isBrowserOut) && { required: false as const }),
    };
  });
}

/** A browser that failed to start once may start the next time. */
const BROWSER_FAILURES = 3;
/**
 * After this time the browser counts as usable again. Otherwise a balancer that sends no requests meanwhile
 * would never learn that it starts.
 */
const BROWSER_OUT_MS = 60_000;

/** A browser that is installed but does not start makes this process not ready. */
function isBrowserOut(state: PartState): boolean {
  const isFailing = state.part === PARTS.browser && state.failuresInRow >= BROWSER_FAILURES;
  return isFailing && Date.now() - lastUseMs(state) < BROWSER_OUT_MS;
}
