/** What became of standard output. */
export interface Output {
  /** Why something that was printed did not arrive; undefined when all did, or when the reader wanted no more. */
  failure(): Error | undefined;
  /** To be called after the command: what a service prints from then on may get lost. */
  end(): void;
}

/** Makes that a full or closed standard output or error ends no command and no service. */
export function watchOutput(): Output {
  let failure: Error | undefined;
  const note = (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") failure ??= cause;
  };
  process.stdout.on("error", note);
  if (!process.stderr.listeners("error").includes(ignore)) process.stderr.on("error", ignore);
  return {
    failure: () => failure,
    end() {
      process.stdout.off("error", note);
      if (!process.stdout.listeners("error").includes(ignore)) process.stdout.on("error", ignore);
    },
  };
}

function ignore(): void {}
