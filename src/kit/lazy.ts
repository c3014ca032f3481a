/** Computes a value on first use and keeps it; a failure is kept and thrown again, too. */
export function lazy<T>(compute: () => T): () => T {
  let outcome: { readonly value: T } | { readonly failure: unknown } | undefined;
  return () => {
    outcome ??= attempt(compute);
    if ("failure" in outcome) throw outcome.failure;
    return outcome.value;
  };
}

function attempt<T>(compute: () => T): { readonly value: T } | { readonly failure: unknown } {
  try {
    return { value: compute() };
  } catch (failure) {
    return { failure };
  }
}
