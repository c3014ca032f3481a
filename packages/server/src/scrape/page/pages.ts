import { type DocumentTools, noDocuments } from "../../fetch/file-kinds/document-tools.ts";
import { kindNamed, kinds } from "../../fetch/file-kinds/all.ts";
import type { Kind } from "../../fetch/file-kinds/kind.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { Stages } from "@pergamon-dev/kit/stages";
import type { Capture } from "../../fetch/capture.ts";
import type { computeHere, ComputeOptions, PageTables, Stopwatch } from "./compute.ts";
import { type AnswerView, hasLongText, openPage, type Page, type PageSource } from "./page.ts";
import { charactersIn, noteReadings, type Readings, readingsFor } from "./readings.ts";
import type { PageThreads } from "./threads.ts";
import type { ViewRequest, Views, views } from "./views.ts";
import type { PageTask } from "./worker.ts";

/**
 * Bodies of at least this size always wait for a thread. In the main thread they would block all requests.
 */
const ALWAYS_OFFLOAD_BYTES = 256 * 1024;

export interface Pages<Table extends Views = typeof views> {
  /**
   * Once `signal` is aborted, views on another thread reject, and their thread ends.
   * @param documents the reader of documents for this page.
   * @param stages records stage times.
   */
  open(
    source: PageSource,
    signal: AbortSignal,
    documents?: DocumentTools,
    stages?: Stages,
  ): OpenedPage<Table>;
  /** Announces a page. Starts a thread unless one is running, or small pages do not use threads. */
  expectPage(): void;
}

export interface OpenedPage<Table extends Views = typeof views> {
  readonly page: Page<Table>;
  /** Milliseconds per stage of this page so far. */
  readonly timings: ReadonlyMap<string, number>;
}

export function openPages(threads: PageThreads): Pages {
  return openPagesBy({ kinds, load: async () => (await import("./compute.ts")).pageTables }, threads);
}

/**
 * Tables for computing pages. All except the kinds are loaded with the first page that is computed in this
 * thread.
 */
interface LoadedTables<Table extends Views> {
  readonly kinds: readonly Kind[];
  load(): Promise<PageTables<Table>>;
}

/** Creates pages with these tables. The threads must use the same ones. */
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
      const readings: Readings = {};
      const options = { stopwatch, signal, documents: noteReadings(documents, readings) };
      const elsewhere = batchTurns((requests) => {
        const task = { source, views: requests, readings: readingsFor(requests, readings) };
        const compute = () => computeElsewhere(task, threads, options);
        return stages ? stages.time("threads", compute) : compute();
      });
      const here = answerHere(source, options, stages ? () => stages.time("load", engine) : engine);
      const either = (request: ViewRequest) => (isHeavy(request) ? elsewhere : here)(request);
      const answer =
        kindNamed(source.file.kind, tables.kinds).isReadElsewhere === true
          ? answerDocument(source, { here, elsewhere }, readings)
          : isForThread(source, threads)
            ? elsewhere
            : either;
      return { page: openPage(source.capture, answer), timings };
    },
  };
}

/** @param load loads the engine. Only the first page that is computed here waits for it. */
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
 * Pages run on threads, so that only a thread has to compile the engine. Small pages that would have to wait
 * for a thread are computed here.
 */
function isForThread({ capture }: PageSource, threads: PageThreads): boolean {
  const { byteLength } = capture.body;
  if (byteLength >= ALWAYS_OFFLOAD_BYTES) return true;
  if (byteLength < threads.smallestBytes) return false;
  if (threads.hasRoom) return true;
  // This page does not wait for the thread to start. The next page will find it running.
  threads.start();
  return false;
}

/** Characters of arguments. Schemas and texts take time in proportion to their size, even for small pages. */
const HEAVY_ARGUMENTS = 8 * 1024;
/** Hints of a schema, which may be slow on purpose, as citations of a page that repeats itself are. */
const HINTS = /"x-(?:selector|pattern)/;

function isHeavy({ view, args }: ViewRequest): boolean {
  if (args.length === 0) return false;
  if (view === "citations" || hasLongText(args)) return true;
  const text = JSON.stringify(args);
  return text.length > HEAVY_ARGUMENTS || HINTS.test(text);
}

/** Views of a document that are ready once it has been read, unless its text is changed. */
const READY: ReadonlySet<string> = new Set(["markdown", "metadata", "document"]);

/** Another process reads the document. What is made of a large one is made by a thread, as of a large page. */
function answerDocument(
  { options }: PageSource,
  { here, elsewhere }: Readonly<Record<"here" | "elsewhere", AnswerView>>,
  readings: Readings,
): AnswerView {
  const isAsRead = !options.redaction && options.onlyCleanContent !== true;
  return async (request) => {
    if (isAsRead && READY.has(request.view)) return here(request);
    await here({ view: "metadata", args: [] });
    const characters = charactersIn(readings);
    const isLarge = characters >= ALWAYS_OFFLOAD_BYTES || (characters > 0 && isHeavy(request));
    return (isLarge ? elsewhere : here)(request);
  };
}

async function computeElsewhere(
  { source, ...asked }: PageTask,
  threads: PageThreads,
  { stopwatch, signal }: ComputeOptions,
): Promise<readonly unknown[]> {
  const task = { source: { ...source, capture: bodyOnly(source.capture) }, ...asked };
  const { values, timings } = await threads.compute(task, signal);
  for (const [stage, durationMs] of timings) stopwatch(stage, durationMs);
  return values;
}

/** The fields of a capture that views need. */
function bodyOnly({ actions: _actions, screenshot: _image, brand: _look, ...capture }: Capture): Capture {
  return capture;
}

/** Computes views in another thread. All views of one call share a single parse. */
type ComputeElsewhere = (requests: readonly ViewRequest[]) => Promise<readonly unknown[]>;

interface PendingView {
  readonly request: ViewRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** Views that are requested in the same turn of the event loop are sent together. */
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
