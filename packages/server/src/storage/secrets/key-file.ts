import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { dirname } from "node:path";

/** Length of every key: AES-256. */
export const KEY_BYTES = 32;

/** Error codes of file systems without hard links: exFAT, and some network mounts. */
const NO_LINKS = new Set<unknown>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
/** Time that another process may take to write the key that it has begun. */
const WRITING_LIMIT_MS = 1_000;
const WRITING_PAUSE_MS = 10;

type Link = typeof link;

/**
 * Reads the key of a file, and creates it when it is missing. Several processes that start at once all get
 * the same key.
 * @throws Error when the file holds no key.
 */
export async function readOrMakeKey(path: string, linkFile: Link = link): Promise<Buffer> {
  return (await readKey(path)) ?? makeKey(path, linkFile);
}

/** Says whether a base64 text is a key. */
export function isKey(text: string): boolean {
  return bytesOf(text).byteLength === KEY_BYTES;
}

/** Decodes a base64 key. @throws Error that names the source of the text. */
export function parseKey(text: string, source: string): Buffer {
  if (isKey(text)) return bytesOf(text);
  throw new Error(
    `${source} holds no key: ${KEY_BYTES} bytes in base64 are expected. Restore it from a backup; what was sealed with the lost key cannot be read without it.`,
  );
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.trim(), "base64");
}

async function readKey(path: string): Promise<Buffer | undefined> {
  try {
    return await readWrittenKey(path);
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw failure;
  }
}

/** A link appears whole or not at all, and fails when another process was faster. */
async function makeKey(path: string, linkFile: Link): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  const key = randomBytes(KEY_BYTES);
  const text = `${key.toString("base64")}\n`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await linkFile(draft, path).catch((failure: unknown) => {
      if (!NO_LINKS.has(codeOf(failure))) throw failure;
      return writeFile(path, text, { mode: 0o600, flag: "wx" });
    });
    return key;
  } catch (failure) {
    if (codeOf(failure) !== "EEXIST") throw failure;
    return readWrittenKey(path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Waits when another process is still writing a key that it could not link. */
async function readWrittenKey(path: string): Promise<Buffer> {
  for (let waitedMs = 0; waitedMs < WRITING_LIMIT_MS; waitedMs += WRITING_PAUSE_MS) {
    if ((await readFile(path)).byteLength > 0) break;
    await pause(WRITING_PAUSE_MS);
  }
  return parseKey(await readFile(path, "utf8"), path);
}

function codeOf(failure: unknown): unknown {
  return failure instanceof Error && "code" in failure ? failure.code : undefined;
}
