import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program that reads untrusted files. */
export interface ReaderProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** Where it works, and all that it has to write to. */
  readonly folder: string;
  /** Everything it gets to know of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files and folders that it reads, besides the system's. */
  readonly reads: readonly string[];
  readonly hasNetwork: boolean;
  /** The first four file descriptors. */
  readonly stdio: readonly ["ignore", "ignore" | "pipe", "pipe", "ignore" | "ipc"];
}

/** Starts programs that read untrusted files. One that takes rights from them can be given instead of `plainProcesses`. */
export interface ReaderProcesses {
  /** Makes an empty folder, whose name contains that one. */
  makeFolder(name: string): Promise<string>;
  removeFolder(folder: string): Promise<void>;
  /** The process leads a group. What it and its parent send each other is serialised as `advanced`. */
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
