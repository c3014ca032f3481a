import type { ChildProcess } from "node:child_process";
import { dirname } from "node:path";

import { filesOfCode, filesOfProgram, foldersOfPath } from "@pergamon-dev/kit/process/needed-files";
import { programFile } from "@pergamon-dev/kit/process/program-file";
import type { ReaderProcesses } from "./reader-processes.ts";

export interface ReadingPrograms {
  /** What starts them. */
  readonly processes: ReaderProcesses;
  /** Where programs are looked for. */
  readonly pathVariable: string;
  /** The program that recognises text, where the operator has named one. */
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

/** What a process that reads documents needs of ours: the folder of all bundles, or of all sources. */
export const READING_CODE: readonly string[] = filesOfCode(
  isBuilt ? dirname(PROGRAM) : dirname(dirname(dirname(PROGRAM))),
);

/**
 * Starts a process that reads documents. It knows nothing of this process's environment, and leads a group, so that it
 * is killed with the programs that it has started.
 * @param folder - an empty folder of its own; it finds nothing else, and writes nowhere else
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
