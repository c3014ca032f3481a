type Act = (...args: readonly unknown[]) => void;

/** The timers of browsers, made of promises that the world outside resolves. */
export function timersOf(later: (delayMs: number) => Promise<void>): object {
  const running = new Set<number>();
  let lastTimer = 0;

  const start =
    (isRepeated: boolean) =>
    (act: Act, delayMs: unknown = 0, ...args: readonly unknown[]): number => {
      lastTimer += 1;
      const timer = lastTimer;
      running.add(timer);
      const wait = async () => {
        await later(Number(delayMs) || 0);
        if (!running.has(timer)) return;
        if (isRepeated) void wait();
        else running.delete(timer);
        act(...args);
      };
      void wait();
      return timer;
    };
  const stop = (timer: number) => void running.delete(timer);
  return { setTimeout: start(false), setInterval: start(true), clearTimeout: stop, clearInterval: stop };
}
