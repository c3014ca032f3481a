const CODES: ReadonlySet<string> = new Set(["EMFILE", "ENFILE"]);
/** As programs in Rust say it: ENFILE is 23, EMFILE 24. */
const TEXT = /\(os error 2[34]\)/;
const MAX_CAUSES = 10;

/** Whether this failed because the process, or the machine, may open no more files and connections. */
export function isOutOfFiles(failure: unknown): boolean {
  let error = failure;
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth += 1) {
    if ("code" in error && CODES.has(String(error.code))) return true;
    if (TEXT.test(error.message)) return true;
    error = error.cause;
  }
  return false;
}
