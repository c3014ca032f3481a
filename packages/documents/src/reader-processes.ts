import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ReaderProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** Its working folder, and the only one that it can write to. */
  readonly folder: string;
  /** The complete environment; nothing else is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files and folders that it reads, besides those of the system. */
  readonly reads: readonly string[];
  readonly hasNetwork: boolean;
  /** The first four file descriptors. */
  readonly stdio: readonly ["ignore", "ignore" | "pipe", "pipe", "ignore" | "ipc"];
}

/** Starts programs that read untrusted files. A sandboxing implementation can replace `plainProcesses`. */
export interface ReaderProcesses {
  /** Makes an empty folder whose name contains `name`. */
  makeFolder(name: string): Promise<string>;
  removeFolder(folder: string): Promise<void>;
  /** The process leads a process group. Messages use `advanced` serialisation. */
  start(program: ReaderProgram): Promise<ChildProcess>;
}

/** Processes with the rights of this one, but without its environment. */
export const plainProcesses: ReaderProcesses = {
  makeFolder: (name) => mkdtemp(join(tmpdir(), `${name}-`)),
  removeFolder: (folder) => rm(folder, { recursive: true, force: true }),
  start: async ({ path, args, folder, environment, stdio }) =>
    spawn(path, args, {
      cwd: folder,
      env: environment,
      stdio: [...stdio],
      serialization: "advanced",
      detached: true,
    }),
};
