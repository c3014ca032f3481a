/** Tells the time and sets timers. Tests move it by hand. */
export interface Clock {
  /** Milliseconds. `systemClock` counts since 1970. */
  now(): number;
  /**
   * Calls `action` once after `delayMs`, or earlier when that is longer than timers can wait. The timer does
   * not keep the process alive.
   * @returns a function that cancels the timer.
   */
  after(delayMs: number, action: () => void): () => void;
}

/** Node fires timers with a longer delay at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(Math.max(0, delayMs), MAX_TIMER_MS)).unref();
    return () => clearTimeout(timer);
  },
};

/** Measures durations: it never goes backward, even when somebody sets the time of day. */
export const steadyClock: Clock = { ...systemClock, now: () => performance.now() };
