import { Piscina } from "piscina";

import { recordWork, workInProgress } from "../loop/loop-pauses.ts";
import { type JsonBounds, jsonProblem, MAIN_THREAD_JSON } from "./json-bounds.ts";
import { ForeignJsonError, parseCountedJson } from "./parse-json.ts";
import type { SchemaFault } from "./schema-faults.ts";
import type { ParseTask, PatternTask, Read, SchemaTask } from "./worker.ts";
import { programFile } from "../process/program-file.ts";

const PROGRAM = { bundle: "foreign-worker.js", loader: "worker-source.mjs" };

/** Limit of one piece of work, including its wait behind others. */
const PARSE_LIMIT_MS = 20_000;
const MEND_LIMIT_MS = 5_000;
const PATTERN_LIMIT_MS = 2_000;
const SCHEMA_LIMIT_MS = 3_000;

/** Maximum of all texts in progress. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

/** Longer broken JSON is not repaired, because the time grows with the square of the length. */
const MAX_MENDED_LENGTH = 64 * 1024;

/** An idle thread ends after this time. */
const IDLE_MS = 30_000;

const THREAD_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 } as const;

/** An external pattern as data. The main thread never runs it. */
interface ForeignPattern {
  readonly source: string;
  readonly flags: string;
}

/**
 * Processes external input in a thread: JSON larger than the main thread parses, JSON to repair, and
 * patterns. There is one thread, started on demand; work that takes too long ends it.
 */
export class ForeignThread {
  #pool: Piscina | undefined;
  #waitingBytes = 0;

  /**
   * Parses small texts at once and larger ones in the thread. Results are copied to the main thread at some
   * 0.3 µs per value, so bound the values accordingly.
   * @throws ForeignJsonError; the signal's reason once it is aborted.
   */
  async parse(text: string, bounds: JsonBounds, signal?: AbortSignal): Promise<unknown> {
    if (jsonProblem(text, narrowest(bounds)) === undefined) return parseCountedJson(text);
    const problem = jsonProblem(text, bounds);
    if (problem !== undefined) throw new ForeignJsonError("too-large", problem);
    return this.#read("parse", { text }, PARSE_LIMIT_MS, signal);
  }

  /**
   * Parses JSON with syntax errors. JSON that is cut off is not repaired.
   * @throws ForeignJsonError; the signal's reason once it is aborted.
   */
  async mend(text: string, signal?: AbortSignal): Promise<unknown> {
    if (text.length > MAX_MENDED_LENGTH) {
      throw new ForeignJsonError(
        "too-large",
        `has faults and is longer than ${MAX_MENDED_LENGTH} characters`,
      );
    }
    return this.#read("mend", { text }, MEND_LIMIT_MS, signal);
  }

  /**
   * Says whether the pattern occurs in a text. @throws ForeignJsonError when that takes too long, or the
   * pattern is invalid.
   */
  async matches(pattern: ForeignPattern, text: string, signal?: AbortSignal): Promise<boolean> {
    const task: PatternTask = { ...pattern, text };
    return (await this.#read("matches", task, PATTERN_LIMIT_MS, signal)) === true;
  }

  /**
   * Lists the violations of a JSON Schema in a value. Without a value, it checks the schema itself.
   * @param schema as JSON; it need not name a dialect.
   * @throws ForeignJsonError, malformed for an invalid JSON Schema.
   */
  async faults(schema: string, value?: unknown, signal?: AbortSignal): Promise<readonly SchemaFault[]> {
    const task: SchemaTask = { text: schema, value };
    return (await this.#read("check", task, SCHEMA_LIMIT_MS, signal)) as readonly SchemaFault[];
  }

  /** Ends running work. The thread also ends by itself. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  async #read(
    name: "parse" | "mend" | "matches" | "check",
    task: ParseTask,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const bytes = task.text.length;
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      throw new ForeignJsonError("too-large", "is too much for now: large texts are being read. Try again");
    }
    this.#waitingBytes += bytes;
    const cause = workInProgress();
    try {
      const read = await this.#run(name, task, limitMs, signal);
      if (cause !== undefined) recordWork(cause);
      if ("problem" in read) throw new ForeignJsonError(read.kind, read.problem);
      return read.value;
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  async #run(name: string, task: ParseTask, limitMs: number, signal?: AbortSignal): Promise<Read> {
    const pool = this.#opened();
    let limit: AbortSignal | undefined;
    try {
      // Starting the thread does not count as time of the work.
      await pool.run(undefined, { name: "getReady", ...(signal && { signal }) });
      limit = AbortSignal.timeout(limitMs);
      return (await pool.run(task, {
        name,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })) as Read;
    } catch (cause) {
      signal?.throwIfAborted();
      const why = limit?.aborted ? `took more than ${limitMs} ms` : "needed more memory than there is for it";
      throw new ForeignJsonError("too-large", why, { cause });
    }
  }

  #opened(): Piscina {
    this.#pool ??= new Piscina({
      filename: programFile(import.meta.url, PROGRAM).path,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: THREAD_LIMITS,
    });
    // A thread that dies while idle is started again for the next work.
    if (this.#pool.listenerCount("error") === 0) this.#pool.on("error", () => undefined);
    return this.#pool;
  }
}

/** The main thread's bounds, narrowed to the given ones. */
function narrowest(bounds: JsonBounds): JsonBounds {
  return {
    ...bounds,
    maxBytes: Math.min(bounds.maxBytes, MAIN_THREAD_JSON.maxBytes),
    maxValues: Math.min(bounds.maxValues, MAIN_THREAD_JSON.maxValues),
  };
}
