import { computeHere } from "./compute.ts";
import type { PageSource } from "./parts.ts";
import { type ViewRequest, type Views, views } from "./views.ts";

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
export async function computeViews(task: PageTask, table: Views = views): Promise<PageTaskResult> {
  const timings: [string, number][] = [];
  const answer = computeHere(task.source, (stage, durationMs) => timings.push([stage, durationMs]), table);
  const values: unknown[] = [];
  for (const request of task.views) values.push(await answer(request));
  return { values, timings };
}

/** Asked of a thread that is to be there when pages come: that it has loaded this file is all there is to do. */
export function getReady(): void {}
