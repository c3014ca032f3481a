import { setFlagsFromString } from "node:v8";

import type { VectorOf } from "../../history/page-index/text-vector.ts";
import { programFile } from "@pergamon-dev/kit/process/program-file";
import type { Matching, MatchPatterns } from "./pattern-matching.ts";
import { charactersIn } from "./readings.ts";
import { ThreadPool } from "./thread-pool.ts";
import type { CompareVersions, VersionComparison } from "./version-comparison.ts";
import type { PageTask, PageTaskResult } from "./worker.ts";

/**
 * Bytes ahead of a page, per thread, before the main thread helps: about a second of work. With 4 MB, four
 * pages at once already used the main thread, which compiled the engine a second time.
 */
const ROOM_BYTES = 16 * 1024 * 1024;

/**
 * Weight of comparisons and patterns, which may take half a second. They count as huge pages, so others do
 * not wait behind them.
 */
const COMPARISON_BYTES = 4 * 1024 * 1024;

/** From sources, a thread takes a second to start. Smaller pages do not wait for that. */
const SMALLEST_FROM_SOURCES_BYTES = 64 * 1024;

const NEVER_ABORTED = new AbortController().signal;

const PROGRAM = { bundle: "page-worker.js", loader: "worker-source.mjs" };

/** V8 fills its default young generation of 48 MB, even if little of it is in use. */
const MEMORY = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 12 } as const;

/** Threads that compute pages. The first one starts on demand. */
export interface PageThreads {
  /** Whether a new page would be processed soon. */
  readonly hasRoom: boolean;
  /** Smaller pages do not run on a thread. */
  readonly smallestBytes: number;
  /** Starts a thread in the background, unless there is one. */
  start(): void;
  /**
   * Once `signal` is aborted, this rejects, and the thread ends if the task has begun.
   * @throws the failures of the views; Error when the thread dies.
   */
  compute(task: PageTask, signal: AbortSignal): Promise<PageTaskResult>;
  close(): Promise<void>;
}

/** Once `signal` is aborted, these reject and the thread ends. @throws Error when the thread dies. */
export interface TextThreads {
  readonly compareVersions: CompareVersions;
  readonly matchPatterns: MatchPatterns;
  readonly vectorOf: VectorOf;
}

interface ThreadOptions {
  readonly most: number;
  /** Called when an idle thread died, or a thread could not be started. */
  readonly onError: (failure: unknown) => void;
}

export function openPageThreads(options: ThreadOptions): PageThreads & TextThreads {
  const { path: file, isBuilt } = programFile(import.meta.url, PROGRAM);
  preferSmallFunctions();
  collectAllLessOften();
  // V8's first compiler would otherwise keep what it has made of functions that no longer run, 2 MB.
  setFlagsFromString("--flush-baseline-code");
  const pool = new ThreadPool({ ...options, program: { file, resourceLimits: MEMORY } });
  return {
    get hasRoom() {
      return pool.bytesPerThread < ROOM_BYTES && (isBuilt || pool.hasReadyThread);
    },
    smallestBytes: isBuilt ? 0 : SMALLEST_FROM_SOURCES_BYTES,
    start: () => pool.start(),
    async compute(task, signal) {
      const { source, readings = {} } = task;
      // Copied once and transferred. Other message contents are copied several times.
      const body = new Uint8Array(source.capture.body);
      const given = { ...task, source: { ...source, capture: { ...source.capture, body } } };
      const bytes = Math.max(body.byteLength, charactersIn(readings));
      const needs = { signal, bytes, transfer: [body.buffer] };
      return (await pool.run({ name: "computeViews", task: given }, needs)) as PageTaskResult;
    },
    compareVersions: async (task, signal) =>
      (await pool.run(
        { name: "compareVersions", task },
        { signal, bytes: COMPARISON_BYTES },
      )) as VersionComparison,
    matchPatterns: async (task, signal) =>
      (await pool.run({ name: "matchPatterns", task }, { signal, bytes: COMPARISON_BYTES })) as Matching,
    // Others wait for it as for a page with this text.
    vectorOf: async (task) => {
      const needs = { signal: NEVER_ABORTED, bytes: task.page.markdown.length };
      return (await pool.run({ name: "vectorOf", task }, needs)) as string;
    },
    close: () => pool.close(),
  };
}

/** The last Node version with only one optimising compiler, which takes a third of the first pages' time. */
const WITHOUT_MIDDLE_COMPILER = 20;

/**
 * Limits how much V8 inlines when it optimises. With the setting of Node 20 the first 600 pages of a process
 * take 1.1 times as long, later ones the same. Newer versions compile in smaller steps anyway.
 */
function preferSmallFunctions(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (major <= WITHOUT_MIDDLE_COMPILER) setFlagsFromString("--max-inlined-bytecode-size-cumulative=300");
}

/** How far a heap grows after a full collection before the next one, in percent of what remained in use. */
const HEAP_GROWTH_PERCENT = 100;

/**
 * Lets heaps double between full collections. V8 by default lets the heap of 45 MB grow by only some 5 MB for
 * bodies and texts of pages, so that it collected all of it every twenty pages or so, on V8's other threads
 * too. The price is memory: docs/decisions/0020.
 */
function collectAllLessOften(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
