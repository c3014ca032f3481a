import { resolve } from "node:path";

import type { Config } from "../config/config.ts";
import { READING_CODE } from "@pergamon-dev/documents/start-reading";
import { openReaders, type Readers } from "./readers/readers.ts";
import { blobFolder, databaseFile } from "../storage/data-files.ts";

/**
 * Opens the launcher for programs that read hostile files. These cannot reach the secrets of this service.
 */
export function openHiddenReaders(config: Config): Readers {
  const { dataDir, secretKeyFile } = config.stores;
  const places = [
    dataDir,
    secretKeyFile,
    config.accounts.adminKeyFile,
    databaseFile(config),
    blobFolder(config),
    config.tools.providersFile,
    resolve(".env"),
  ];
  const { tesseractPath, ffmpegPath, ytDlpPath } = config.programs;
  const programs = [tesseractPath, ffmpegPath, ytDlpPath].filter((path) => path?.startsWith("/") === true);
  return openReaders({ code: [...READING_CODE, ...present(programs)], hidden: present(places) });
}

function present(paths: readonly (string | undefined)[]): readonly string[] {
  return paths.filter((path) => path !== undefined);
}
