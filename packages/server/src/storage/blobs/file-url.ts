import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder that a blob URL names: `file:` and a path, or a full `file:///` URL.
 * @throws Error when it names none.
 */
export function folderOfUrl(url: string): string {
  if (url.startsWith("file://")) return fileURLToPath(url);
  const path = url.slice("file:".length);
  if (path === "") throw new Error('A blob URL needs a folder, such as "file:./data/blobs".');
  return resolve(path);
}
