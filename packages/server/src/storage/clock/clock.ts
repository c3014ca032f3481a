/** The time, and what is done later. Tests move it by hand. */
export interface Clock {
  /** Milliseconds: of `systemClock` since 1970. */
  now(): number;
  /**
   * Calls `action` once when `delayMs` have passed, or earlier if that is longer than timers can wait. The process does
   * not stay alive for it.
   * @returns what cancels it.
   */
  after(delayMs: number, action: () => void): () => void;
}

/** Node's timers fire at once when they are asked to wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(Math.max(0, delayMs), MAX_TIMER_MS)).unref();
    return () => clearTimeout(timer);
  },
};

/** Only goes forward, whoever sets the time of day: for what lasts. */
export const steadyClock: Clock = { ...systemClock, now: () => performance.now() };
