/** What became of standard output. */
export interface Output {
  /** Why something that was printed did not arrive; undefined when all did, or when the reader wanted no more. */
  failure(): Error | undefined;
}

/** Makes that a full or closed standard output or error ends no command and no service. */
export function watchOutput(): Output {
  let failure: Error | undefined;
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") failure ??= cause;
  });
  process.stderr.on("error", () => undefined);
  return { failure: () => failure };
}
