import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Piscina } from "piscina";

import type { Capture } from "./capture.ts";
import { LocalPage, type Page, type PageSource } from "./page.ts";
import type { PageTask, PageTaskResult } from "./page-worker.ts";
import { WorkerPage } from "./worker-page.ts";

/** Bodies from this size on are worked on by a worker thread: at 20 MB/s this is a pause of some 13 ms. */
const OFFLOAD_BYTES = 256 * 1024;

/** Turns captures into pages. */
export interface Pages {
  /** Once `signal` is aborted, views that are computed on another thread reject, and their thread is ended. */
  open(source: PageSource, signal: AbortSignal): OpenedPage;
  close(): Promise<void>;
}

export interface OpenedPage {
  readonly page: Page;
  /** Milliseconds per stage that this page has taken so far. */
  readonly timings: ReadonlyMap<string, number>;
}

interface PagesOptions {
  readonly threads: number;
  /** Told when a thread died while it had nothing to do. */
  readonly onError: (failure: unknown) => void;
}

export function openPages(options: PagesOptions): Pages {
  let pool: Piscina | undefined;
  return {
    open(source, signal) {
      if (source.capture.body.byteLength < OFFLOAD_BYTES) return openHere(source);
      pool ??= startPool(options);
      return openElsewhere(source, pool, signal);
    },
    async close() {
      await pool?.destroy();
    },
  };
}

function openHere(source: PageSource): OpenedPage {
  const timings = new Map<string, number>();
  return { page: new LocalPage(source, (view, durationMs) => timings.set(view, durationMs)), timings };
}

function openElsewhere(source: PageSource, pool: Piscina, signal: AbortSignal): OpenedPage {
  const timings = new Map<string, number>();
  const page = new WorkerPage(source.capture, async (views) => {
    const task: PageTask = { source: { ...source, capture: bodyOnly(source.capture) }, views };
    const result = (await pool.run(task, { name: "computeViews", signal })) as PageTaskResult;
    for (const [view, durationMs] of result.timings) timings.set(view, durationMs);
    return result.values;
  });
  return { page, timings };
}

/** What views are computed from, without what else the visit brought. */
function bodyOnly({ actions: _actions, screenshot: _image, styles: _styles, ...capture }: Capture): Capture {
  return capture;
}

/** From a build the worker is a bundle beside this file; from sources it is TypeScript behind a loader. */
function startPool({ threads, onError }: PagesOptions): Piscina {
  const bundle = fileURLToPath(new URL("./page-worker.js", import.meta.url));
  const source = fileURLToPath(new URL("./page-worker-source.mjs", import.meta.url));
  const pool = new Piscina({
    filename: existsSync(bundle) ? bundle : source,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  // A thread that dies without work must not take the process with it.
  pool.on("error", onError);
  return pool;
}
