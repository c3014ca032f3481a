export interface Repetition {
  /** Ends the repetition and waits for a running round. */
  stop(): Promise<void>;
}

/**
 * Repeats the work every `intervalMs`, one round at a time. A failing round is reported and does not end the
 * repetition.
 */
export function repeat(
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (failure: unknown) => void,
): Repetition {
  let round: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = undefined;
      });
  }, intervalMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
