const processes = new WeakMap<object, string>();

/** Marks a failure: the process of that name could have done what was asked for. @returns the failure. */
export function possibleElsewhere<Failure extends Error>(failure: Failure, process: string): Failure {
  processes.set(failure, process);
  return failure;
}

/** Name of the process that could have done it; undefined when none could. */
export function processOf(failure: unknown): string | undefined {
  return typeof failure === "object" && failure !== null ? processes.get(failure) : undefined;
}
