import { repeat } from "./repeat.ts";

/** Load of the process. */
export interface Pressure {
  /** Reason to refuse new work for now; undefined when there is room. */
  reason(): string | undefined;
  /** Delay of timers at the last check, in milliseconds. */
  lagMs(): number;
  /** True for a moment after the event loop was blocked for a second or more. */
  wasBlocked(): boolean;
  stop(): Promise<void>;
}

interface PressureOptions {
  /** Called with the duration of a block. */
  readonly onBlocked: (blockedMs: number) => void;
  /** Returns the bytes that this process could still allocate. */
  readonly availableMemory?: () => number;
}

const LOOK_INTERVAL_MS = 250;
/**
 * A delay of this length, at this many checks in a row, means more work than CPU time. One large body does
 * not cause that.
 */
const MAX_LAG_MS = 1000;
const LATE_LOOKS = 3;
const BLOCKED_MS = 1000;
const BLOCKED_SHOWN_MS = 2000;
/** A page and its views take some megabytes. Below this, the system begins to kill processes. */
const LEAST_MEMORY_BYTES = 96 * 1024 * 1024;

/** Checks the process four times a second. */
export function watchPressure({ onBlocked, availableMemory }: PressureOptions): Pressure {
  const freeBytes = availableMemory ?? (() => process.availableMemory());
  let lookedAtMs = performance.now();
  let lagMs = 0;
  let lateLooks = 0;
  let isShort = false;
  let blockedAtMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const nowMs = performance.now();
    lagMs = Math.max(0, nowMs - lookedAtMs - LOOK_INTERVAL_MS);
    lookedAtMs = nowMs;
    lateLooks = lagMs > MAX_LAG_MS ? lateLooks + 1 : 0;
    isShort = freeBytes() < LEAST_MEMORY_BYTES;
    if (lagMs < BLOCKED_MS) return;
    blockedAtMs = nowMs;
    onBlocked(lagMs);
  }

  const looking = repeat(LOOK_INTERVAL_MS, look, () => undefined);
  return {
    reason: () => (lateLooks >= LATE_LOOKS ? "processor" : isShort ? "memory" : undefined),
    lagMs: () => lagMs,
    wasBlocked: () => performance.now() - blockedAtMs < BLOCKED_SHOWN_MS,
    stop: () => looking.stop(),
  };
}
