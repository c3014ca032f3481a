import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";

import { ServiceError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import type { SentFile } from "./run-parse.ts";

/**
 * Opens a local file.
 * @throws Error when it does not exist; ServiceError BAD_REQUEST when it is too large.
 */
export async function openLocalFile(path: string): Promise<SentFile> {
  const stats = await stat(path);
  // Folders are refused, and so are devices with endless content.
  if (!stats.isFile()) throw new ServiceError("BAD_REQUEST", { message: "This is not a file." });
  const sizeBytes = stats.size;
  if (sizeBytes > limits.pageBytes) {
    const message = `The file exceeds the maximum size of ${limits.pageBytes / 1024 / 1024} MB.`;
    throw new ServiceError("BAD_REQUEST", { message });
  }
  return { name: basename(path), contentType: undefined, sizeBytes, read: () => readFile(path) };
}
