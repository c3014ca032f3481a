import { monitorEventLoopDelay } from "node:perf_hooks";

import { repeat } from "../repeat.ts";

/** Entry points of work on the main thread, and everything else. */
const workCauses = [
  "rest",
  "mcp",
  "cdp",
  "live",
  "box",
  "interpreter",
  "model",
  "provider",
  "document",
  "other",
] as const;
export type WorkCause = (typeof workCauses)[number];

/** A time in which the event loop did not turn. */
export interface LoopPause {
  readonly cause: WorkCause;
  readonly durationMs: number;
}

export interface PauseWatch {
  stop(): Promise<void>;
}

/** Shorter pauses are normal for an event loop. */
const MIN_PAUSE_MS = 20;
const LOOK_INTERVAL_MS = 500;
const RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;

// NOTE: a process has one event loop for all watchers, so its current work is recorded in one place.
const listeners = new Set<(pause: LoopPause) => void>();
let current: WorkCause | undefined;
let sinceMs = 0;

/**
 * Records the kind of work for the rest of this turn of the event loop. It costs some 0.5 µs, and nothing
 * without a watcher.
 */
export function recordWork(cause: WorkCause): void {
  if (listeners.size === 0) return;
  if (current === undefined) setImmediate(endTurn);
  else tellSince();
  current = cause;
  sinceMs = performance.now();
}

/** Returns the recorded work of this turn. */
export function workInProgress(): WorkCause | undefined {
  return current;
}

/**
 * Reports the pauses of this process's event loop, with their causes. A pause without a recorded cause is
 * `other`.
 */
export function watchPauses(onPause: (pause: LoopPause) => void): PauseWatch {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let explainedMs = 0;
  const listen = (pause: LoopPause) => {
    explainedMs = Math.max(explainedMs, pause.durationMs);
    onPause(pause);
  };

  async function look(): Promise<void> {
    // Timers that are due run first. After a pause, this timer may run before its sample, which a reset would
    // lose.
    await new Promise((resolve) => setImmediate(resolve));
    const longestMs = delays.max / NANOSECONDS_PER_MS - RESOLUTION_MS;
    delays.reset();
    // The samples only give the longest pause, which may have begun before the turn was recorded.
    if (longestMs >= MIN_PAUSE_MS && explainedMs < longestMs / 2) {
      onPause({ cause: "other", durationMs: longestMs });
    }
    explainedMs = 0;
  }

  listeners.add(listen);
  delays.enable();
  const looking = repeat(LOOK_INTERVAL_MS, look, () => undefined);
  return {
    async stop() {
      listeners.delete(listen);
      delays.disable();
      await looking.stop();
    },
  };
}

function endTurn(): void {
  tellSince();
  current = undefined;
}

function tellSince(): void {
  const durationMs = performance.now() - sinceMs;
  if (current === undefined || durationMs < MIN_PAUSE_MS) return;
  for (const listen of listeners) listen({ cause: current, durationMs });
}
