/**
 * Computes a value on first use and keeps it; a failure is kept and thrown again, too. Not that of a promise: it may have
 * failed for a reason that passes, so the next use tries again.
 */
export function lazy<T>(compute: () => T): () => T {
  let outcome: { readonly value: T } | { readonly failure: unknown } | undefined;
  return () => {
    outcome ??= attempt(compute);
    if ("failure" in outcome) throw outcome.failure;
    const { value } = outcome;
    if (value instanceof Promise) {
      value.catch(() => {
        if (outcome && "value" in outcome && outcome.value === value) outcome = undefined;
      });
    }
    return value;
  };
}

function attempt<T>(compute: () => T): { readonly value: T } | { readonly failure: unknown } {
  try {
    return { value: compute() };
  } catch (failure) {
    return { failure };
  }
}
