import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { filesOfCode, filesOfProgram, foldersOfPath } from "../platform/readers/reader-box.ts";
import type { Readers } from "../platform/readers/readers.ts";

export interface ReadingPrograms {
  readonly readers: Readers;
  /** Where programs are looked for. */
  readonly pathVariable: string;
  /** The program that recognises text, where the operator has named one. */
  readonly tesseractPath?: string | undefined;
}

/** From a build the program is a bundle beside this file; from sources it is TypeScript behind a loader. */
const BUNDLE = fileURLToPath(new URL("./document-process.js", import.meta.url));
const SOURCE = fileURLToPath(new URL("./process-source.mjs", import.meta.url));
const PROGRAM = existsSync(BUNDLE) ? BUNDLE : SOURCE;

/** What a process that reads documents needs of ours. */
export const READING_CODE: readonly string[] =
  PROGRAM === BUNDLE ? filesOfCode(dirname(BUNDLE)) : filesOfCode(dirname(dirname(SOURCE)));

/**
 * Starts a process that reads documents. It knows nothing of this process's environment, and leads a group, so that it
 * is killed with the programs that it has started.
 * @param folder - an empty folder of its own; it finds nothing else, and writes nowhere else
 */
export function startReading(folder: string, programs: ReadingPrograms): Promise<ChildProcess> {
  const { readers, pathVariable, tesseractPath } = programs;
  const named = tesseractPath === undefined || tesseractPath === "" ? [] : [tesseractPath];
  return readers.start({
    path: process.execPath,
    args: [
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
