import type { Capture } from "../visit/capture.ts";
import { LocalPage, type Page, type PageSource } from "./page.ts";
import type { PageThreads } from "./threads.ts";
import { WorkerPage } from "./worker-page.ts";

/**
 * Bodies from this size on are worked on by a thread that has room for them. Handing a page over costs some 1.5 ms,
 * mostly for waking the thread, as much as 30 KB of work. Measured with 450 real pages over 8 connections on two cores: throughput
 * is the same as with a limit of 256 KB, while cached answers beside them take 25 instead of 180 ms at the 95th
 * percentile; a limit of 16 KB costs a sixth of the throughput and brings them to 21 ms.
 */
const OFFLOAD_BYTES = 64 * 1024;

/** Bodies from this size on wait for a thread, whatever they have to wait for: here they would be a pause for everybody. */
const ALWAYS_OFFLOAD_BYTES = 256 * 1024;

/** Turns captures into pages. */
export interface Pages {
  /** Once `signal` is aborted, views that are computed on another thread reject, and their thread is ended. */
  open(source: PageSource, signal: AbortSignal): OpenedPage;
}

export interface OpenedPage {
  readonly page: Page;
  /** Milliseconds per stage that this page has taken so far. */
  readonly timings: ReadonlyMap<string, number>;
}

export function openPages(threads: PageThreads): Pages {
  return {
    open(source, signal) {
      const { byteLength } = source.capture.body;
      if (byteLength < OFFLOAD_BYTES) return openHere(source);
      if (byteLength >= ALWAYS_OFFLOAD_BYTES || threads.hasRoom)
        return openElsewhere(source, threads, signal);
      // This page does not wait for the start of a thread; the next one will find it.
      threads.start();
      return openHere(source);
    },
  };
}

function openHere(source: PageSource): OpenedPage {
  const timings = new Map<string, number>();
  return { page: new LocalPage(source, (view, durationMs) => timings.set(view, durationMs)), timings };
}

function openElsewhere(source: PageSource, threads: PageThreads, signal: AbortSignal): OpenedPage {
  const timings = new Map<string, number>();
  const page = new WorkerPage(source.capture, async (views) => {
    const task = { source: { ...source, capture: bodyOnly(source.capture) }, views };
    const result = await threads.compute(task, signal);
    for (const [view, durationMs] of result.timings) timings.set(view, durationMs);
    return result.values;
  });
  return { page, timings };
}

/** What views are computed from, without what else the visit brought. */
function bodyOnly({ actions: _actions, screenshot: _image, styles: _styles, ...capture }: Capture): Capture {
  return capture;
}
