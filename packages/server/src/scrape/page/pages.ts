import { type DocumentTools, noDocuments } from "../../fetch/file-kinds/document-tools.ts";
import { kindNamed, kinds } from "../../fetch/file-kinds/all.ts";
import type { Kind } from "../../fetch/file-kinds/kind.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { Stages } from "@pergamon-dev/kit/stages";
import type { Capture } from "../../fetch/capture.ts";
import type { computeHere, ComputeOptions, PageTables, Stopwatch } from "./compute.ts";
import { type AnswerView, openPage, type Page, type PageSource } from "./page.ts";
import type { PageThreads } from "./threads.ts";
import type { ViewRequest, Views, views } from "./views.ts";
import type { PageTask } from "./worker.ts";

/** Bodies from this size on always wait for a thread: in the main thread they would block all requests. */
const ALWAYS_OFFLOAD_BYTES = 256 * 1024;

/** Turns captures into pages. */
export interface Pages<Table extends Views = typeof views> {
  /**
   * Once `signal` is aborted, views that are computed on another thread reject, and their thread is ended.
   * @param documents the reader of documents for this page. @param stages records where the time goes.
   */
  open(
    source: PageSource,
    signal: AbortSignal,
    documents?: DocumentTools,
    stages?: Stages,
  ): OpenedPage<Table>;
  /** A page is on its way: starts a thread for it, unless there is one, or small pages are not for threads. */
  expectPage(): void;
}

export interface OpenedPage<Table extends Views = typeof views> {
  readonly page: Page<Table>;
  /** Milliseconds per stage that this page has taken so far. */
  readonly timings: ReadonlyMap<string, number>;
}

export function openPages(threads: PageThreads): Pages {
  return openPagesBy({ kinds, load: async () => (await import("./compute.ts")).pageTables }, threads);
}

/** The tables from which pages are computed. All but the kinds are loaded with the first page that is computed here. */
interface LoadedTables<Table extends Views> {
  readonly kinds: readonly Kind[];
  load(): Promise<PageTables<Table>>;
}

/** Creates pages with these tables, which must be the same as in the threads. */
export function openPagesBy<Table extends Views>(
  tables: LoadedTables<Table>,
  threads: PageThreads,
): Pages<Table> {
  const engine = lazy(() => Promise.all([import("./compute.ts"), tables.load()]));
  return {
    expectPage() {
      if (threads.smallestBytes === 0) threads.start();
    },
    open(source, signal, documents = noDocuments, stages) {
      const timings = new Map<string, number>();
      const stopwatch: Stopwatch = (stage, durationMs) => {
        timings.set(stage, durationMs);
        stages?.note(stage, durationMs);
      };
      const options = { stopwatch, signal, documents };
      const elsewhere = batchTurns((requests) =>
        stages
          ? stages.time("threads", () => computeElsewhere({ source, views: requests }, threads, options))
          : computeElsewhere({ source, views: requests }, threads, options),
      );
      const here = answerHere(source, options, stages ? () => stages.time("load", engine) : engine);
      const answer = isForThread(source, tables.kinds, threads)
        ? elsewhere
        : (request: ViewRequest) => (isHeavy(request, source, tables.kinds) ? elsewhere : here)(request);
      return { page: openPage(source.capture, answer), timings };
    },
  };
}

/** @param load of the engine: only the first page that is computed here waits for it. */
function answerHere(
  source: PageSource,
  options: ComputeOptions,
  load: () => Promise<readonly [{ readonly computeHere: typeof computeHere }, PageTables]>,
): AnswerView {
  const opened = lazy(async () => {
    const [engine, tables] = await load();
    return engine.computeHere(source, options, tables);
  });
  return async (request) => (await opened())(request);
}

/**
 * Pages belong to a thread, so that the engine is compiled for one thread only. Small ones that would have to wait there
 * are computed here.
 */
function isForThread({ capture, file }: PageSource, table: readonly Kind[], threads: PageThreads): boolean {
  const { byteLength } = capture.body;
  if (kindNamed(file.kind, table).isReadElsewhere) return false;
  if (byteLength >= ALWAYS_OFFLOAD_BYTES) return true;
  if (byteLength < threads.smallestBytes) return false;
  if (threads.hasRoom) return true;
  // This page does not wait for the start of a thread; the next one will find it.
  threads.start();
  return false;
}

/** Schemas and texts passed to a view take time in proportion to their size, even for small pages. */
const HEAVY_ARGUMENTS = 8 * 1024;

function isHeavy({ args }: ViewRequest, { file }: PageSource, table: readonly Kind[]): boolean {
  if (args.length === 0 || kindNamed(file.kind, table).isReadElsewhere) return false;
  return JSON.stringify(args).length > HEAVY_ARGUMENTS;
}

async function computeElsewhere(
  { source, views: requests }: PageTask,
  threads: PageThreads,
  { stopwatch, signal }: ComputeOptions,
): Promise<readonly unknown[]> {
  const task = { source: { ...source, capture: bodyOnly(source.capture) }, views: requests };
  const { values, timings } = await threads.compute(task, signal);
  for (const [stage, durationMs] of timings) stopwatch(stage, durationMs);
  return values;
}

/** The fields of a capture from which views are computed. */
function bodyOnly({ actions: _actions, screenshot: _image, brand: _look, ...capture }: Capture): Capture {
  return capture;
}

/** Computes views in another thread, all views of one call from a single parse. */
type ComputeElsewhere = (requests: readonly ViewRequest[]) => Promise<readonly unknown[]>;

interface PendingView {
  readonly request: ViewRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** Views requested in the same turn of the event loop are sent together. */
function batchTurns(compute: ComputeElsewhere): AnswerView {
  let pending: PendingView[] = [];

  async function send(): Promise<void> {
    const batch = pending;
    pending = [];
    try {
      const values = await compute(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => resolve(values[index]));
    } catch (failure) {
      for (const { reject } of batch) reject(failure);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      pending.push({ request, resolve, reject });
      if (pending.length === 1) setImmediate(() => void send());
    });
}
