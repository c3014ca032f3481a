import { computeHere, type PageTables, pageTables } from "./compute.ts";
import type { PageSource } from "./page.ts";
import type { ViewRequest } from "./views.ts";

export { matchPatterns } from "./pattern-matching.ts";
export { compareVersions } from "./version-comparison.ts";

/** What a worker thread is asked: several views of one page, which is parsed once for all of them. */
export interface PageTask {
  readonly source: PageSource;
  readonly views: readonly ViewRequest[];
}

/** What a worker thread answers: the views in the order of the task, and what each stage took. */
export interface PageTaskResult {
  readonly values: readonly unknown[];
  readonly timings: readonly (readonly [stage: string, durationMs: number])[];
}

/** Computes the views of one page. Runs in a worker thread, so that a huge page holds up nobody else. */
export async function computeViews(
  { source, views }: PageTask,
  tables: PageTables = pageTables,
): Promise<PageTaskResult> {
  const timings: [string, number][] = [];
  const stopwatch = (stage: string, durationMs: number) => void timings.push([stage, durationMs]);
  // Who wants no more of it ends the thread.
  const { signal } = new AbortController();
  const answer = computeHere(source, { stopwatch, signal }, tables);
  const values: unknown[] = [];
  for (const request of views) values.push(await answer(request));
  return { values, timings };
}

/** Asked of a thread that is to be there when pages come: that it has loaded this file is all there is to do. */
export function getReady(): void {}
