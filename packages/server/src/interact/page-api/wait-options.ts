const INTERVAL_MS = 50;
/** Default timeout of Playwright. */
const USUAL_MS = 30_000;

/** Errors that a retry does not repair. */
const FINAL: ReadonlySet<string> = new Set(["BrowserFailure", "ForeignJsonError", "GlobTooLong"]);

export interface WaitOptions {
  /** In milliseconds; 0 means the time limit of the code. */
  readonly timeout?: number | undefined;
}

/** Time limit of a call by its options, at most until the code has to end. */
export function waitLimitOf(options: WaitOptions | undefined, usualMs = USUAL_MS): number {
  const { timeout } = options ?? {};
  if (timeout === 0) return Number.MAX_SAFE_INTEGER;
  return typeof timeout === "number" && timeout > 0 ? timeout : usualMs;
}

/**
 * Retries until something is found. Failures on the way, such as a page that is being left, count as not
 * found.
 * @throws Error with what was waited for and the last obstacle
 */
export async function waitUntilFound<Found>(
  what: string,
  limitMs: number,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const endMs = performance.now() + limitMs;
  let hindrance = "";
  for (;;) {
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (failure) {
      hindrance = ` (${(failure as Error).message})`;
      if (failure instanceof Error && FINAL.has(failure.name)) throw failure;
    }
    if (performance.now() >= endMs)
      throw new Error(`Timeout ${limitMs}ms exceeded waiting for ${what}.${hindrance}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
