/** A failure that can be explained: what went wrong, what to do, and the raw output behind it. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {{ remedy: string, output?: string, cause?: unknown }} details
   */
  constructor(message, { remedy, output = "", cause }) {
    super(message, { cause });
    this.remedy = remedy;
    this.output = output;
  }
}

/**
 * Runs one step of the set-up and prints it as one line with the time it took.
 * Progress goes to stderr: stdout belongs to the command's own output.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const startedAt = performance.now();
  process.stderr.write(`${title} …`);
  try {
    const result = await work();
    process.stderr.write(` ${seconds(performance.now() - startedAt)}\n`);
    return result;
  } catch (error) {
    process.stderr.write(` failed after ${seconds(performance.now() - startedAt)}\n`);
    throw error;
  }
}

/** Prints a failure for a person, not a stack: output of the failed program, the reason, the way out. */
export function explain(error) {
  if (!(error instanceof SetupError)) {
    console.error(error);
    return;
  }
  if (error.output) process.stderr.write(`${error.output.trimEnd()}\n\n`);
  process.stderr.write(`${error.message}\n→ ${error.remedy}\n`);
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
