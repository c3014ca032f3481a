import type { ChildProcess } from "node:child_process";
import { dirname } from "node:path";

import { filesOfCode, filesOfProgram, foldersOfPath } from "@pergamon-dev/kit/process/needed-files";
import { programFile } from "@pergamon-dev/kit/process/program-file";
import type { ReaderProcesses } from "./reader-processes.ts";

export interface ReadingPrograms {
  readonly processes: ReaderProcesses;
  /** PATH of the processes. */
  readonly pathVariable: string;
  /** The tesseract program, if the operator has configured one. */
  readonly tesseractPath?: string | undefined;
}

const {
  path: PROGRAM,
  isBuilt,
  execArgv,
} = programFile(import.meta.url, {
  bundle: "document-process.js",
  loader: "process-source.mjs",
});

/** Code that a reader process must be able to read: the folder of all bundles, or of all sources. */
export const READING_CODE: readonly string[] = filesOfCode(
  isBuilt ? dirname(PROGRAM) : dirname(dirname(dirname(PROGRAM))),
);

/**
 * Starts a reader process. It does not inherit this process's environment, and leads a process group, so that
 * its children are killed with it.
 * @param folder - an empty folder of its own, the only one it reads and writes
 */
export function startReading(folder: string, programs: ReadingPrograms): Promise<ChildProcess> {
  const { processes, pathVariable, tesseractPath } = programs;
  const named = tesseractPath === undefined || tesseractPath === "" ? [] : [tesseractPath];
  return processes.start({
    path: process.execPath,
    args: [
      ...execArgv,
      "--max-old-space-size=512",
      PROGRAM,
      folder,
      ...(tesseractPath === undefined ? [] : [tesseractPath]),
    ],
    folder,
    environment: { PATH: pathVariable, HOME: folder },
    reads: [
      ...READING_CODE,
      ...[process.execPath, ...named, ...foldersOfPath(pathVariable)].flatMap(filesOfProgram),
    ],
    hasNetwork: false,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}
