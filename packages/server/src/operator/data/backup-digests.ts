import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/**
 * Name of the last entry of an archive. It has a line for each other entry, as `sha256sum --check` reads
 * them, and their count.
 */
export const DIGESTS = "digests.sha256";

/** Name of an entry → SHA-256 in hexadecimal. */
export type Digests = ReadonlyMap<string, string>;

export function writeDigests(digests: Digests): Buffer {
  const lines = Array.from(digests, ([name, digest]) => `${digest}  ${name}\n`);
  return Buffer.from(`${lines.join("")}# ${digests.size} entries\n`);
}

/** @throws Error when the text is cut off or malformed. */
export function readDigests(text: string): Digests {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error(`${DIGESTS} is truncated`);
  const count = /^# (\d+) entries$/.exec(lines.pop() ?? "")?.[1];
  if (Number(count) !== lines.length) throw new Error(`${DIGESTS} is truncated`);
  return new Map(
    lines.map((line) => {
      const [, digest = "", name = ""] = /^([0-9a-f]{64})  (.+)$/.exec(line) ?? [];
      return [name, digest];
    }),
  );
}

/** @throws Error that names missing, changed or unexpected entries. */
export function compareDigests(expected: Digests, found: Digests): void {
  for (const [name, digest] of expected) {
    if (!found.has(name)) throw new Error(`${name} is missing`);
    if (found.get(name) !== digest) throw new Error(`${name} has been changed`);
  }
  for (const name of found.keys())
    if (!expected.has(name)) throw new Error(`${name} is not part of the backup`);
}

/** SHA-256 of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex");
}

export function digestOfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
