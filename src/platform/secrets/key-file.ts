import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Length of every key: AES-256. */
export const KEY_BYTES = 32;

/**
 * The key of a file, which is made when it is missing. Of several processes that start at once all get the same.
 * @throws Error when the file holds no key.
 */
export async function readOrMakeKey(path: string): Promise<Buffer> {
  return (await readKey(path)) ?? makeKey(path);
}

/** Whether a text of base64 stands for a key. */
export function isKey(text: string): boolean {
  return bytesOf(text).byteLength === KEY_BYTES;
}

/** The key that a text of base64 stands for. @throws Error that names where the text is from. */
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
    return parseKey(await readFile(path, "utf8"), path);
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw failure;
  }
}

/** A link appears whole or not at all, and fails when another process was faster. */
async function makeKey(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  const key = randomBytes(KEY_BYTES);
  try {
    await writeFile(draft, `${key.toString("base64")}\n`, { mode: 0o600 });
    await link(draft, path);
    return key;
  } catch (failure) {
    if (codeOf(failure) !== "EEXIST") throw failure;
    return parseKey(await readFile(path, "utf8"), path);
  } finally {
    await rm(draft, { force: true });
  }
}

function codeOf(failure: unknown): unknown {
  return failure instanceof Error && "code" in failure ? failure.code : undefined;
}
