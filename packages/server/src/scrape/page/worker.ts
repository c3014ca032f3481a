import { computeHere, type PageTables, pageTables } from "./compute.ts";
import type { PageSource } from "./page.ts";
import { givenReadings, type Readings } from "./readings.ts";
import type { ViewRequest } from "./views.ts";

export { matchPatterns } from "./pattern-matching.ts";
export { compareVersions } from "./version-comparison.ts";

/** Task of a worker thread: several views of one page, which is parsed once. */
export interface PageTask {
  readonly source: PageSource;
  readonly views: readonly ViewRequest[];
  /** Of a document. */
  readonly readings?: Readings;
}

/** The views in the order of the task, and the duration of each stage. */
export interface PageTaskResult {
  readonly values: readonly unknown[];
  readonly timings: readonly (readonly [stage: string, durationMs: number])[];
}

/**
 * Computes the views of one page. Runs in a worker thread, so that a huge page does not delay other requests.
 */
export async function computeViews(
  { source, views, readings = {} }: PageTask,
  tables: PageTables = pageTables,
): Promise<PageTaskResult> {
  const timings: [string, number][] = [];
  const stopwatch = (stage: string, durationMs: number) => void timings.push([stage, durationMs]);
  // This signal never aborts, because a cancelled task ends the whole thread.
  const { signal } = new AbortController();
  const answer = computeHere(source, { stopwatch, signal, documents: givenReadings(readings) }, tables);
  const values: unknown[] = [];
  for (const request of views) values.push(await answer(request));
  return { values, timings };
}
