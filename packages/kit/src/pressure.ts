import { repeat } from "./repeat.ts";

/** How the process bears its load. */
export interface Pressure {
  /** Why new work should be refused for now; undefined when there is room. */
  reason(): string | undefined;
  /** How late timers were at the last look, in milliseconds. */
  lagMs(): number;
  /** True for a moment after nothing could be answered for a second or more. */
  wasBlocked(): boolean;
  stop(): Promise<void>;
}

interface PressureOptions {
  /** Called with how long nothing could be answered. */
  readonly onBlocked: (blockedMs: number) => void;
  /** Bytes that this process could still take. */
  readonly availableMemory?: () => number;
}

const LOOK_INTERVAL_MS = 250;
/** This late, and this many looks in a row: there is more work than processor time. One large body is not that. */
const MAX_LAG_MS = 1000;
const LATE_LOOKS = 3;
const BLOCKED_MS = 1000;
const BLOCKED_SHOWN_MS = 2000;
/** A page and its views take some megabytes; below this the system begins to kill processes. */
const LEAST_MEMORY_BYTES = 96 * 1024 * 1024;

/** Looks at the process four times a second. */
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
