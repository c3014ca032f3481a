import { programFile } from "@pergamon-dev/kit/process/program-file";
import { collectAllLessOften, preferSmallFunctions } from "./engine-settings.ts";
import type { MatchPatterns, Matching } from "./pattern-matching.ts";
import { ThreadPool } from "./thread-pool.ts";
import type { CompareVersions, VersionComparison } from "./version-comparison.ts";
import type { PageTask, PageTaskResult } from "./worker.ts";

/**
 * How much may be ahead of a page, per thread, before the main thread helps: about a second of work. With 4 MB, four pages
 * at once already sent some there, which compiled the engine a second time.
 */
const ROOM_BYTES = 16 * 1024 * 1024;

/** Comparisons and patterns may take half a second: they count as huge pages, which others do not wait behind. */
const COMPARISON_BYTES = 4 * 1024 * 1024;

/** From sources a thread takes a second to start, which small pages do not wait for. */
const SMALLEST_FROM_SOURCES_BYTES = 64 * 1024;

const PROGRAM = { bundle: "page-worker.js", loader: "worker-source.mjs" };

/** V8 fills its default young generation of 48 MB, even if little of it is in use. */
const MEMORY = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 12 } as const;

/** Threads that compute pages. The first one starts on demand. */
export interface PageThreads {
  /** Whether a page submitted now is processed soon. */
  readonly hasRoom: boolean;
  /** Smaller pages are not for a thread. */
  readonly smallestBytes: number;
  /** Starts a thread in the background, unless there is one. */
  start(): void;
  /**
   * Once `signal` is aborted, this rejects, and the thread is ended if the task has begun.
   * @throws what the views throw; Error when the thread dies.
   */
  compute(task: PageTask, signal: AbortSignal): Promise<PageTaskResult>;
  close(): Promise<void>;
}

/** Threads that compare versions of pages. */
export interface VersionThreads {
  /** Once `signal` is aborted, this rejects and the thread is ended. @throws Error when the thread dies. */
  readonly compareVersions: CompareVersions;
}

/** Threads that match URLs against patterns of callers. */
export interface PatternThreads {
  /** Once `signal` is aborted, this rejects and the thread is ended. @throws Error when the thread dies. */
  readonly matchPatterns: MatchPatterns;
}

interface ThreadOptions {
  readonly most: number;
  /** Called when an idle thread died, or a thread could not be started. */
  readonly onError: (failure: unknown) => void;
}

export function openPageThreads(options: ThreadOptions): PageThreads & VersionThreads & PatternThreads {
  const { path: file, isBuilt } = programFile(import.meta.url, PROGRAM);
  preferSmallFunctions();
  collectAllLessOften();
  const pool = new ThreadPool({ ...options, program: { file, resourceLimits: MEMORY } });
  return {
    get hasRoom() {
      return pool.bytesPerThread < ROOM_BYTES && (isBuilt || pool.hasReadyThread);
    },
    smallestBytes: isBuilt ? 0 : SMALLEST_FROM_SOURCES_BYTES,
    start: () => pool.start(),
    async compute(task, signal) {
      const { given, transfer } = withBodyToHandOver(task);
      const bytes = task.source.capture.body.byteLength;
      const call = { name: "computeViews", task: given } as const;
      return (await pool.run(call, { signal, bytes, transfer })) as PageTaskResult;
    },
    compareVersions: async (task, signal) =>
      (await pool.run(
        { name: "compareVersions", task },
        { signal, bytes: COMPARISON_BYTES },
      )) as VersionComparison,
    matchPatterns: async (task, signal) =>
      (await pool.run({ name: "matchPatterns", task }, { signal, bytes: COMPARISON_BYTES })) as Matching,
    close: () => pool.close(),
  };
}

/** A copy of the body to transfer to the thread; other message contents are copied several times. */
function withBodyToHandOver(task: PageTask): {
  readonly given: PageTask;
  readonly transfer: readonly [ArrayBuffer];
} {
  const body = new Uint8Array(task.source.capture.body);
  const source = { ...task.source, capture: { ...task.source.capture, body } };
  return { given: { ...task, source }, transfer: [body.buffer] };
}
