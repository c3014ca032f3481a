import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "pergamon-browser-";

/** A folder for what a browser writes while it runs. Those of processes that were killed are removed. */
export async function makeBrowserFolder(): Promise<string> {
  await removeAbandoned();
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function removeAbandoned(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const abandoned = names.filter((name) => name.startsWith(PREFIX) && !isRunning(ownerOf(name)));
  await Promise.all(abandoned.map((name) => removeFolder(join(tmpdir(), name)).catch(() => undefined)));
}

function ownerOf(name: string): number {
  return Number.parseInt(name.slice(PREFIX.length), 10);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (failure) {
    // It runs, and belongs to somebody else.
    return (failure as NodeJS.ErrnoException).code === "EPERM";
  }
}
