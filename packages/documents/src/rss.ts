import { readFile } from "node:fs/promises";

import { descendants } from "@pergamon-dev/kit/process/descendants";

/**
 * Resident memory of a process or of one that came from it, whichever has most; 0 where that cannot be asked, as outside
 * Linux. The process that was started may be the one that holds a box.
 */
export async function rssBytesOf(pid: number | undefined): Promise<number> {
  return Math.max(0, ...(await Promise.all(descendants(pid).map(rssOf))));
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
