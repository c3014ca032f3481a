import { readFile } from "node:fs/promises";

import type { CdpSession } from "./cdp/cdp-session.ts";

/** A memory bomb fills a gigabyte in a second. */
const INTERVAL_MS = 250;
/** No page that people read needs this much. V8's own limits do not cover arrays and canvases. */
const PAGE_LIMIT_BYTES = 1.4 * 1024 ** 3;
/** The browser's own process grows through memory leaks. */
const BROWSER_LIMIT_BYTES = 600 * 1024 ** 2;

export interface MemoryGuard {
  /** Whether the browser's own process has grown so much that it should be replaced. */
  readonly isWorn: boolean;
  /** Whether a tab that crashes now does so because we ended its process. Call it once for every crash. */
  isToBlame(): boolean;
  stop(): void;
}

/** A tab learns of its end within this time, even on a busy machine. */
const HEARD_WITHIN_MS = 10_000;

/**
 * Ends page processes that take too much memory. `isNeeded` returns whether pages are open; without open
 * pages, nothing is measured. Only for browsers on this machine, and systems with /proc.
 */
export function guardMemory(browser: CdpSession, isNeeded: () => boolean): MemoryGuard {
  let isWorn = false;
  /** Times at which processes were ended whose tabs have not crashed yet. */
  const killedAtMs: number[] = [];
  let isLooking = false;

  const look = async () => {
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
    for (const { id, type } of processInfo) {
      const sizeBytes = await privateBytes(id);
      if (type === "browser") isWorn = sizeBytes > BROWSER_LIMIT_BYTES;
      if (type !== "renderer" || sizeBytes < PAGE_LIMIT_BYTES) continue;
      killedAtMs.push(performance.now());
      process.kill(id, "SIGKILL");
    }
  };
  const timer = setInterval(() => {
    if (isLooking || !isNeeded()) return;
    isLooking = true;
    look()
      // The browser, or one of its processes, has just ended.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, INTERVAL_MS).unref();

  return {
    get isWorn() {
      return isWorn;
    },
    isToBlame() {
      const oldestMs = performance.now() - HEARD_WITHIN_MS;
      while (killedAtMs[0] !== undefined && killedAtMs[0] < oldestMs) killedAtMs.shift();
      return killedAtMs.shift() !== undefined;
    },
    stop: () => clearInterval(timer),
  };
}

/** Bytes that the process has for itself, or shares only with the browser, such as canvases. */
async function privateBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return (kilobytes("RssAnon") + kilobytes("RssShmem")) * 1024;
}
