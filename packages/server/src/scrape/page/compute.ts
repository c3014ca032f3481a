import { kinds, kindNamed } from "../../fetch/file-kinds/all.ts";
import { type DocumentTools, noDocuments } from "../../fetch/file-kinds/document-tools.ts";
import type { FileParts, Kind, ReadTools } from "../../fetch/file-kinds/kind.ts";
import { completeParts } from "../../fetch/file-kinds/parts.ts";
import { redactParts } from "../../fetch/file-kinds/redacted.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { AnswerView, PageSource } from "./page.ts";
import { type Views, views } from "./views.ts";

/**
 * Receives the time until a view or a part was ready. Parts that were computed earlier do not count. Waiting
 * counts, such as for a document that another process reads.
 */
export type Stopwatch = (stage: string, durationMs: number) => void;

export interface PageTables<Table extends Views = Views> {
  readonly views: Table;
  readonly kinds: readonly Kind[];
}

export const pageTables = { views, kinds } satisfies PageTables;

export interface ComputeOptions {
  readonly stopwatch: Stopwatch;
  /** Aborted when the page is no longer needed. */
  readonly signal: AbortSignal;
  /** Undefined when documents are not read. */
  readonly documents?: DocumentTools;
}

/** Computes views of one page in this thread. Views share parts, each of which is computed once. */
export function computeHere(
  source: PageSource,
  { stopwatch, signal, documents = noDocuments }: ComputeOptions,
  tables: PageTables = pageTables,
): AnswerView {
  const stage = <Value>(name: string, compute: () => Value) => lazy(() => timed(name, compute, stopwatch));
  const parts = lazy(() => {
    const read = readParts(source, { stage, signal, documents }, tables.kinds);
    // These kinds load their reader first, or another process reads them.
    return read instanceof Promise ? timed("read", () => read, stopwatch) : read;
  });
  return async ({ view, args }) => {
    const compute = ownProperty(tables.views, view);
    if (!compute) throw new Error(`Unknown view: ${view}.`);
    const present = parts();
    // Values that are ready are not awaited, so that views requested together keep separate times.
    const ready = present instanceof Promise ? await present : present;
    return timed(view, () => compute(ready, ...(args as never[])), stopwatch);
  };
}

function readParts(
  { capture, file, options }: PageSource,
  tools: ReadTools,
  table: readonly Kind[],
): FileParts | Promise<FileParts> {
  const { body, contentType, url, linkedRules } = capture;
  const source = { body, contentType, url, mimeType: file.mimeType, options, linkedRules };
  const read = kindNamed(file.kind, table).read(source, tools);
  const given = options.redaction ? redactParts(read, options.redaction) : read;
  return given instanceof Promise
    ? given.then((parts) => completeParts(parts, source))
    : completeParts(given, source);
}

function timed<Value>(name: string, compute: () => Value, stopwatch: Stopwatch): Value {
  const startMs = performance.now();
  const value = compute();
  const stop = () => stopwatch(name, performance.now() - startMs);
  if (value instanceof Promise) value.then(stop, stop);
  else stop();
  return value;
}
