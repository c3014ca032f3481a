import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { LRUCache } from "lru-cache";
import { Piscina } from "piscina";

import { lazy } from "../kit/lazy.ts";
import { LocalPage, type Page, type PageSource } from "./page.ts";
import type { PageTask, PageTaskResult } from "./page-worker.ts";
import { WorkerPage } from "./worker-page.ts";

/** Bodies from this size on are worked on by a worker thread: at 20 MB/s this is a pause of some 13 ms. */
const OFFLOAD_BYTES = 256 * 1024;

/** Bodies of recently used cached pages, whose views are kept with them. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Turns captures into pages. */
export interface Pages {
  /**
   * A page for one request. `key` names capture and options; pages of the same key share their views.
   * Once `signal` is aborted, views that are computed elsewhere reject with its reason.
   */
  open(source: PageSource, key: string | undefined, signal: AbortSignal): OpenedPage;
  close(): Promise<void>;
}

export interface OpenedPage {
  readonly page: Page;
  /** Milliseconds per stage that this page has taken so far. */
  readonly timings: ReadonlyMap<string, number>;
}

export function openPages({ threads }: { readonly threads: number }): Pages {
  const pool = lazy(() => startPool(threads));
  const recent = new LRUCache<string, OpenedPage>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ page }) => page.capture.body.byteLength + 1,
  });

  function openLocal(source: PageSource): OpenedPage {
    const timings = new Map<string, number>();
    return { page: new LocalPage(source, (view, durationMs) => timings.set(view, durationMs)), timings };
  }

  function openElsewhere(source: PageSource, signal: AbortSignal): OpenedPage {
    const timings = new Map<string, number>();
    const page = new WorkerPage(source.capture, async (views) => {
      const task: PageTask = { source, views };
      const result = (await pool().run(task, { name: "computeViews", signal })) as PageTaskResult;
      for (const [view, durationMs] of result.timings) timings.set(view, durationMs);
      return result.values;
    });
    return { page, timings };
  }

  let isPoolStarted = false;
  return {
    open(source, key, signal) {
      if (source.capture.body.byteLength >= OFFLOAD_BYTES) {
        isPoolStarted = true;
        return openElsewhere(source, signal);
      }
      const known = key === undefined ? undefined : recent.get(key);
      if (known) return known;
      const opened = openLocal(source);
      if (key !== undefined) recent.set(key, opened);
      return opened;
    },
    async close() {
      if (isPoolStarted) await pool().destroy();
    },
  };
}

/** From a build the worker is a bundle beside this file; from sources it is TypeScript. */
function startPool(threads: number): Piscina {
  const bundle = fileURLToPath(new URL("./page-worker.js", import.meta.url));
  const isBuilt = existsSync(bundle);
  return new Piscina({
    filename: isBuilt ? bundle : fileURLToPath(new URL("./page-worker.ts", import.meta.url)),
    execArgv: isBuilt ? [] : ["--import", "tsx"],
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
}
