import { createWriteStream } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

import { FILES_PATH, type LinkedFile } from "../files/files.ts";
import { type Content, MAX_IMAGE_BYTES } from "./documents/content.ts";

/** Saves linked files for a client on this machine, because no server serves them. */
interface LocalFiles {
  /** Undefined for a link that this service did not make, or whose file is gone. */
  readonly open: (link: string) => Promise<LinkedFile | undefined>;
  /** Folder for the files. When it is not writable, they go to a temporary folder. */
  readonly folder: string;
}

/** A link of this process. Text of a page in this form opens nothing, because it lacks the signature. */
const LINK = new RegExp(`${FILES_PATH}/[\\w.-]+\\?expires=\\d+&signature=[\\w-]+`, "g");
/** Maximum of replaced links per result. Further links stay unchanged. */
const MAX_FILES = 50;

/**
 * Replaces links to files in a result. A picture is attached as an image; any other file is saved to the
 * folder, and its path replaces the link.
 */
export async function bringFiles(
  content: readonly Content[],
  files: LocalFiles,
): Promise<readonly Content[]> {
  const images: Content[] = [];
  const brought = new Map<string, string>();
  for (const link of linksIn(content)) {
    const file = await files.open(link);
    if (!file) continue;
    if (isShown(file)) {
      const bytes = await readWhole(file);
      images.push({ type: "image", data: bytes.toString("base64"), mimeType: file.contentType });
      brought.set(link, `image ${images.length} of this result`);
    } else {
      brought.set(link, await save(file, basename(new URL(link, "http://localhost").pathname), files.folder));
    }
  }
  if (brought.size === 0) return content;
  const replaced = content.map((part) =>
    part.type === "text" ? { ...part, text: replaceLinks(part.text, brought) } : part,
  );
  return [...replaced.slice(0, -1), ...images, ...replaced.slice(-1)];
}

function linksIn(content: readonly Content[]): readonly string[] {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [...new Set(texts.flatMap((text) => text.match(LINK) ?? []))].slice(0, MAX_FILES);
}

function replaceLinks(text: string, brought: ReadonlyMap<string, string>): string {
  return text.replaceAll(LINK, (link) => brought.get(link) ?? link);
}

function isShown({ contentType, sizeBytes }: LinkedFile): boolean {
  return contentType.startsWith("image/") && sizeBytes <= MAX_IMAGE_BYTES;
}

async function readWhole(file: LinkedFile): Promise<Buffer> {
  return buffer(await contentOf(file));
}

async function contentOf(file: LinkedFile) {
  const content = await file.read();
  if (!content) throw new Error("The file of this result no longer exists. Request it again.");
  return content;
}

/**
 * The name of a link depends on the file's content, so an existing file of that name is the same. @returns
 * the path.
 */
async function save(file: LinkedFile, name: string, folder: string): Promise<string> {
  try {
    return await write(file, join(folder, name));
  } catch (failure) {
    if (!isClosed(failure)) throw failure;
    return write(file, join(await mkdtemp(join(tmpdir(), "pergamon-")), name));
  }
}

/** Writes under a temporary name first, so that an incomplete file is never taken for a complete one. */
async function write(file: LinkedFile, path: string): Promise<string> {
  const temporary = `${path}.part`;
  try {
    await pipeline(await contentOf(file), createWriteStream(temporary));
    await rename(temporary, path);
    return path;
  } catch (failure) {
    await rm(temporary, { force: true });
    throw failure;
  }
}

/** Some assistants start programs in a read-only folder. */
function isClosed(failure: unknown): boolean {
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  return code === "EACCES" || code === "EPERM" || code === "EROFS";
}
