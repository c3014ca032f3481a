const processes = new WeakMap<object, string>();

/** Marks a failure of a request that the named process could have handled. @returns the failure. */
export function possibleElsewhere<Failure extends Error>(failure: Failure, process: string): Failure {
  processes.set(failure, process);
  return failure;
}

/** Returns the name of the process that could have handled the request; undefined when none could. */
export function processOf(failure: unknown): string | undefined {
  return typeof failure === "object" && failure !== null ? processes.get(failure) : undefined;
}
