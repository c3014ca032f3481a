import type { Limits } from "../accounts/limits.ts";
import type { Revocations } from "../accounts/revocations.ts";
import { ServiceError } from "../contract/errors.ts";
import { startDeadline } from "../kit/deadline.ts";
import type { ScrapeJob } from "./request/job.ts";

/** A scrape's right to run: one of its team's places, within its time, as long as its key is good. */
export interface Turn {
  /** Aborts when the time is over, nobody waits for the answer, or the key was revoked; its reason says which. */
  readonly signal: AbortSignal;
  /** How long the team's other scrapes held it up; undefined when they did not. */
  readonly queuedMs: number | undefined;
  /** Lets the next scrape of the team run. */
  end(): void;
}

export interface TurnServices {
  readonly limits: Limits;
  readonly revocations: Revocations;
}

/** Callers give up exactly when their timeout ends, so the answer has to be sent this much earlier. */
const ANSWER_MARGIN_MS = 150;

/** The turn of work that is done as soon as it is asked for, and takes no place from others. */
export const NO_WAIT: Turn = { signal: new AbortController().signal, queuedMs: undefined, end: () => {} };

/**
 * Waits for the team's turn; the wait counts into the timeout.
 * @param isGone aborts when nobody waits for the answer any more.
 * @throws as `Limits.enter`, and the reason of the turn's signal.
 */
export async function takeTurn(
  { caller, plan }: ScrapeJob,
  { limits, revocations }: TurnServices,
  isGone: AbortSignal,
): Promise<Turn> {
  const timeoutMs = plan.timeoutMs - ANSWER_MARGIN_MS;
  const { signal, cancel, clear } = startDeadline(
    timeoutMs,
    () => new ServiceError("SCRAPE_TIMEOUT"),
    isGone,
  );
  const forget = revocations.watch(caller, cancel);
  const stopWatching = () => {
    forget();
    clear();
  };
  try {
    const slot = await limits.enter(caller, plan.timeoutMs, signal);
    const end = () => {
      slot.release();
      stopWatching();
    };
    return { signal, queuedMs: slot.waitedMs, end };
  } catch (failure) {
    stopWatching();
    throw failure;
  }
}
