import { lazy } from "../kit/lazy.ts";
import type { AnswerView } from "./page.ts";
import { type PageSource, readParts } from "./parts.ts";
import { type Views, views } from "./views.ts";

/** Time spent on computing a view or a part, without the parts it is built from when those were computed before. */
export type Stopwatch = (stage: string, durationMs: number) => void;

/** Computes views of one page in this thread. Parts that views share are computed once. */
export function computeHere(source: PageSource, stopwatch: Stopwatch, table: Views = views): AnswerView {
  const parts = lazy(() => readParts(source, (name, compute) => lazy(() => timed(name, compute, stopwatch))));
  return async ({ view, args }) => {
    const compute = table[view];
    if (!compute) throw new Error(`There is no view ${view}.`);
    return timed(view, () => compute(parts(), ...(args as never[])), stopwatch);
  };
}

function timed<Value>(name: string, compute: () => Value, stopwatch: Stopwatch): Value {
  const startMs = performance.now();
  const value = compute();
  stopwatch(name, performance.now() - startMs);
  return value;
}
