import { untilAborted } from "./single-flight.ts";

/** A signal that aborts at a deadline, or earlier when the work is cancelled. */
interface Deadline {
  readonly signal: AbortSignal;
  cancel(reason: Error): void;
  /** Stops the timer. Call it when the work has ended. */
  clear(): void;
}

/**
 * Aborts after `timeoutMs` with the error that `expired` makes, or with the reason of `parent` as soon as
 * that is aborted. The timer does not keep the process alive.
 */
export function startDeadline(timeoutMs: number, expired: () => Error, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(expired()), timeoutMs).unref();
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    cancel: (reason) => controller.abort(reason),
    clear() {
      clearTimeout(timer);
      parent?.removeEventListener("abort", follow);
    },
  };
}

/** Settles as the promise does, or rejects with the error that `expired` makes, whichever comes first. */
export async function within<T>(limitMs: number, promise: Promise<T>, expired: () => Error): Promise<T> {
  const { signal, clear } = startDeadline(limitMs, expired);
  return untilAborted(promise, signal).finally(clear);
}
