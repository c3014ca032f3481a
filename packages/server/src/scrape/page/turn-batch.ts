import type { AnswerView } from "./page.ts";
import type { ViewRequest } from "./views.ts";

/** Computes views in another thread, all views of one call from a single parse. */
type ComputeElsewhere = (requests: readonly ViewRequest[]) => Promise<readonly unknown[]>;

interface PendingView {
  readonly request: ViewRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** Views requested in the same turn of the event loop are sent together. */
export function batchTurns(compute: ComputeElsewhere): AnswerView {
  let pending: PendingView[] = [];

  async function send(): Promise<void> {
    const batch = pending;
    pending = [];
    try {
      const values = await compute(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => resolve(values[index]));
    } catch (failure) {
      for (const { reject } of batch) reject(failure);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      pending.push({ request, resolve, reject });
      if (pending.length === 1) setImmediate(() => void send());
    });
}
