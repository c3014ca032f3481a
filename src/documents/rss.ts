import { readFile } from "node:fs/promises";

/** Resident memory of a process; 0 where that cannot be asked, as outside Linux. */
export async function rssBytesOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, "latin1").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
