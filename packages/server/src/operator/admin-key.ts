import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

import { sha256Hex } from "@pergamon-dev/kit/hash";

/** Checks the operator's key in requests against its hash. */
export interface AdminKey {
  isValid(candidate: string): boolean;
  /** The key itself if it was just made. It cannot be read again. */
  readonly fresh: string | undefined;
}

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Uses the configured key, or the hash in the file. If there is no file, it makes a key and writes the file.
 * @throws Error when the file contains no hash.
 */
export async function openAdminKey(configured: string | undefined, file: string): Promise<AdminKey> {
  if (configured !== undefined) return keyOf(sha256Hex(configured), undefined);
  const digest = await readDigest(file);
  if (digest !== undefined) return keyOf(digest, undefined);
  const key = await makeAdminKey(file);
  return keyOf(sha256Hex(key), key);
}

/** Makes a new key. The old one works until the service restarts. @returns the key, which is not stored. */
export async function makeAdminKey(file: string): Promise<string> {
  const key = `pa-${randomBytes(24).toString("hex")}`;
  await writeFile(file, `${sha256Hex(key)}\n`, { mode: 0o600 });
  return key;
}

function keyOf(digest: string, fresh: string | undefined): AdminKey {
  return { isValid: keyCheck(digest), fresh };
}

/** Compares the hash of a candidate with this one in constant time. */
export function keyCheck(digest: string): (candidate: string) => boolean {
  const expected = Buffer.from(digest, "hex");
  return (candidate) => timingSafeEqual(Buffer.from(sha256Hex(candidate), "hex"), expected);
}

async function readDigest(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((failure: unknown) => {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  });
  if (text === undefined || DIGEST.test(text.trim())) return text?.trim();
  throw new Error(`${file} holds no hash of an operator key. Delete it to have a new key made.`);
}
