const INTERVAL_MS = 50;
/** As Playwright waits. */
const USUAL_MS = 30_000;

/** Names of failures that looking again does not repair. */
const FINAL: ReadonlySet<string> = new Set(["BrowserFailure", "ForeignJsonError", "GlobTooLong"]);

/** Options of a call that may wait. */
export interface WaitOptions {
  /** Milliseconds; 0 means as long as the code may run. */
  readonly timeout?: number | undefined;
}

/** How long a call may take by its options, at most until the code has to end. */
export function waitLimitOf(options: WaitOptions | undefined, usualMs = USUAL_MS): number {
  const { timeout } = options ?? {};
  if (timeout === 0) return Number.MAX_SAFE_INTEGER;
  return typeof timeout === "number" && timeout > 0 ? timeout : usualMs;
}

/**
 * Looks again and again until there is something. Failures on the way, such as a page that is just being left, count as
 * nothing. @throws Error that says what was waited for, and what was in the way last
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
