import type { Caller } from "../accounts/callers.ts";
import type { Limits } from "../accounts/limits.ts";
import type { Revocations } from "../accounts/revocations.ts";
import type { ServiceError } from "../contract/errors.ts";
import { startDeadline } from "../kit/deadline.ts";
import type { WorkClass } from "./work.ts";

/** The right of work to run: one of its team's places, within its time, as long as its key is good. */
export interface WorkSlot {
  /** Aborts when the time is over, the caller has gone, or the key was revoked; its reason says which. */
  readonly signal: AbortSignal;
  /** How long other work of the team held it up; undefined when it did not. */
  readonly queuedMs: number | undefined;
  /** When its turn came, for a page of a job: its time begins then. Undefined for requests, whose time includes the wait. */
  readonly startedAtMs?: number;
  /** Lets the next work of the team run. */
  end(): void;
}

export interface SlotServices {
  readonly limits: Limits;
  readonly revocations: Revocations;
}

export interface SlotOrder {
  readonly caller: Caller;
  /** The wait of single requests counts into their time. That of a job's page does not: its time begins with its turn. */
  readonly class: WorkClass;
  readonly timeoutMs: number;
  /** Longest wait of a job's page. */
  readonly maxWaitMs?: number | undefined;
  readonly timedOut: () => ServiceError;
}

/** Callers give up exactly when their timeout ends, so the answer has to be sent this much earlier. */
export const ANSWER_MARGIN_MS = 150;

/** The slot of work that is done as soon as it is asked for, and takes no place from others. */
export const NO_WAIT: WorkSlot = {
  signal: new AbortController().signal,
  queuedMs: undefined,
  end: () => {},
};

/** Two days, after which a page of a job is given up. */
const MAX_JOB_WAIT_MS = 48 * 60 * 60 * 1000;

/**
 * Waits for one of the team's places.
 * @param isGone aborts when the caller does not wait for the answer any more.
 * @throws as `Limits.enter` and `Limits.enterOfJob`, and the reason of the slot's signal.
 */
export async function takeSlot(
  order: SlotOrder,
  services: SlotServices,
  isGone: AbortSignal,
): Promise<WorkSlot> {
  return order.class === "job"
    ? takeSlotOfJob(order, services, isGone)
    : takeSlotOfRequest(order, services, isGone);
}

async function takeSlotOfRequest(
  order: SlotOrder,
  services: SlotServices,
  isGone: AbortSignal,
): Promise<WorkSlot> {
  const time = startTime(order, services, isGone);
  try {
    const place = await services.limits.enter(order.caller, order.timeoutMs, time.signal);
    const end = () => {
      place.release();
      time.end();
    };
    return { signal: time.signal, queuedMs: place.waitedMs, end };
  } catch (failure) {
    time.end();
    throw failure;
  }
}

async function takeSlotOfJob(
  order: SlotOrder,
  services: SlotServices,
  isGone: AbortSignal,
): Promise<WorkSlot> {
  const waited = await services.limits.enterOfJob(order.caller, order.maxWaitMs ?? MAX_JOB_WAIT_MS, isGone);
  const time = startTime(order, services, isGone);
  const end = () => {
    waited.release();
    time.end();
  };
  return { signal: time.signal, queuedMs: waited.waitedMs, startedAtMs: Date.now(), end };
}

/** One of a team's places, for work that lasts until it is ended. */
export interface LastingSlot {
  /** Aborts when the key is revoked. */
  readonly revoked: AbortSignal;
  end(): void;
}

/** Takes one of the team's places if one is free, and watches the key. @throws as `Limits.enterNow`. */
export async function takeLastingSlot(
  caller: Caller,
  { limits, revocations }: SlotServices,
  signal: AbortSignal,
): Promise<LastingSlot> {
  const place = await limits.enterNow(caller, signal);
  const revoked = new AbortController();
  const forget = revocations.watch(caller, (reason) => revoked.abort(reason));
  return {
    revoked: revoked.signal,
    end() {
      forget();
      place.release();
    },
  };
}

/** The time of the work: it ends at its deadline, with its key, or when the caller has gone. */
function startTime(
  { caller, timeoutMs, timedOut }: SlotOrder,
  { revocations }: SlotServices,
  isGone: AbortSignal,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const { signal, cancel, clear } = startDeadline(timeoutMs - ANSWER_MARGIN_MS, timedOut, isGone);
  const forget = revocations.watch(caller, cancel);
  return {
    signal,
    end() {
      forget();
      clear();
    },
  };
}
