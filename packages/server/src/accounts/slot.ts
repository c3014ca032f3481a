import type { Caller } from "./callers.ts";
import type { Limits } from "./limits.ts";
import type { Revocations } from "./revocations.ts";
import type { ServiceError } from "../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import type { WorkClass } from "./work.ts";

/** Permission to run: a place of the team, a deadline and a valid key. */
interface WorkSlot {
  /**
   * Aborts at the deadline, when the caller disconnects, or when the key is revoked. The reason tells which.
   */
  readonly signal: AbortSignal;
  /** How long the work waited for other work of the team; undefined when it did not wait. */
  readonly queuedMs: number | undefined;
  /**
   * Time at which a page of a job got its place, which starts its timeout. Undefined for requests, whose
   * timeout includes the wait.
   */
  readonly startedAtMs?: number;
  /** Releases the place for other work of the team. */
  end(): void;
}

export interface SlotServices {
  readonly limits: Limits;
  readonly revocations: Revocations;
}

export interface SlotOrder {
  readonly caller: Caller;
  /**
   * The timeout of single requests includes their wait. The timeout of a job's page starts when it gets its
   * place.
   */
  readonly class: WorkClass;
  readonly timeoutMs: number;
  /** When a single request arrived. Default: now. */
  readonly startedAtMs?: number | undefined;
  /** Maximum wait of a job's page. */
  readonly maxWaitMs?: number | undefined;
  readonly timedOut: () => ServiceError;
}

/** Callers abort exactly at their timeout, so the response must be sent this much earlier. */
export const ANSWER_MARGIN_MS = 150;

/** The slot of work that runs at once and needs no place of the team. */
export const NO_WAIT: WorkSlot = {
  signal: new AbortController().signal,
  queuedMs: undefined,
  end: () => {},
};

/** A page of a job fails after two days of waiting. */
const MAX_JOB_WAIT_MS = 48 * 60 * 60 * 1000;

/**
 * Waits for a place of the team.
 * @param isGone aborts when the caller no longer waits for the response.
 * @throws as `Limits.enter` or `Limits.enterOfJob`; for pages of jobs also as `Revocations.require`; the
 * reason of the slot's signal.
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
    const place = await services.limits.enter(order.caller, leftMs(order), time.signal);
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
  // The page may have waited for hours.
  await services.revocations.require(order.caller).catch((failure: unknown) => {
    waited.release();
    throw failure;
  });
  const time = startTime({ ...order, startedAtMs: undefined }, services, isGone);
  const end = () => {
    waited.release();
    time.end();
  };
  return { signal: time.signal, queuedMs: waited.waitedMs, startedAtMs: Date.now(), end };
}

/** A place of the team for work without a fixed duration. */
export interface LastingSlot {
  /** Aborts when the key is revoked. */
  readonly revoked: AbortSignal;
  end(): void;
}

/** Takes a place of the team if one is free, and watches the key. @throws as `Limits.enterNow`. */
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

/** The signal of the work aborts at its deadline, with its key, or when the caller disconnects. */
function startTime(
  order: SlotOrder,
  { revocations }: SlotServices,
  isGone: AbortSignal,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const { signal, cancel, clear } = startDeadline(leftMs(order) - ANSWER_MARGIN_MS, order.timedOut, isGone);
  const forget = revocations.watch(order.caller, cancel);
  return {
    signal,
    end() {
      forget();
      clear();
    },
  };
}

function leftMs({ timeoutMs, startedAtMs }: Pick<SlotOrder, "timeoutMs" | "startedAtMs">): number {
  return startedAtMs === undefined ? timeoutMs : Math.max(0, startedAtMs + timeoutMs - Date.now());
}
