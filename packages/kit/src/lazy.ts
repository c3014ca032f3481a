/**
 * Computes a value on first use and keeps it. A failure is kept and thrown again, too. The failure of a
 * promise is not kept, because its cause may pass; the next use tries again.
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
