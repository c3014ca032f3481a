import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the folder of a blob URL, `file:` with a path or a full `file:///` URL.
 * @throws Error when the URL names no folder.
 */
export function folderOfUrl(url: string): string {
  if (url.startsWith("file://")) return fileURLToPath(url);
  const path = url.slice("file:".length);
  if (path === "") throw new Error('A blob URL needs a folder, such as "file:./data/blobs".');
  return resolve(path);
}
