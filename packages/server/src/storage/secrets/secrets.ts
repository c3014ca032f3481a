import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto";

import { KEY_BYTES, parseKey, readOrMakeKey } from "./key-file.ts";

/** Encrypts stored data, so that access to the stores alone does not reveal it. */
export interface Secrets {
  /**
   * Encrypts. Only the same purpose decrypts it again.
   * @param purpose kind and owner of the content, such as `profile:team:name`.
   */
  seal(content: Uint8Array, purpose: string): Uint8Array;
  /** @throws SealError for another key or another purpose, or when the bytes are damaged. */
  open(sealed: Uint8Array, purpose: string): Uint8Array;
  /** Derives keys for one purpose, the same on every start, newest first. The first one signs; all verify. */
  keysFor(purpose: string): readonly [Buffer, ...Buffer[]];
}

/** Encrypted data cannot be opened. The message tells the operator why. */
export class SealError extends Error {
  override readonly name = "SealError";
}

interface SecretsSource {
  /** Keys in base64, newest first. The first one encrypts; all decrypt. When empty, the key file is used. */
  readonly keys: readonly string[];
  readonly keyFile: string;
}

const CIPHER = "aes-256-gcm";
/** Format version, the first byte of all encrypted data. */
const FORM = 1;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1 + KEY_ID_BYTES;
const CONTENT_AT = NONCE_AT + NONCE_BYTES;

/**
 * Opens the keys of this installation.
 * @throws Error when a configured key or the key file is not a key.
 */
export async function openSecrets({ keys, keyFile }: SecretsSource): Promise<Secrets> {
  const configured = keys.map((text) => parseKey(text, "SECRET_KEY"));
  const [first, ...older] = configured.length > 0 ? configured : [await readOrMakeKey(keyFile)];
  if (!first) throw new Error("The key is missing.");
  const byId = new Map([first, ...older].map((key) => [idOf(key), key]));
  return {
    seal: (content, purpose) => seal(first, content, purpose),
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes.byteLength < CONTENT_AT + TAG_BYTES || bytes[0] !== FORM) {
        throw new SealError("The sealed data is damaged, or from a newer program.");
      }
      const keyId = bytes.toString("hex", 1, NONCE_AT);
      const key = byId.get(keyId);
      if (!key) throw new SealError(wrongKey(keyId, [...byId.keys()], keyFile));
      return open(key, bytes, purpose);
    },
    keysFor: (purpose) => [derived(first, purpose), ...older.map((key) => derived(key, purpose))],
  };
}

function derived(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `key:${purpose}`, KEY_BYTES));
}

function seal(key: Buffer, content: Uint8Array, purpose: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
  const encrypted = [cipher.update(content), cipher.final()];
  return Buffer.concat([
    Buffer.of(FORM),
    Buffer.from(idOf(key), "hex"),
    nonce,
    ...encrypted,
    cipher.getAuthTag(),
  ]);
}

function open(key: Buffer, sealed: Buffer, purpose: string): Uint8Array {
  const tagAt = sealed.byteLength - TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(NONCE_AT, CONTENT_AT))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(sealed.subarray(tagAt));
    return Buffer.concat([decipher.update(sealed.subarray(CONTENT_AT, tagAt)), decipher.final()]);
  } catch (cause) {
    throw new SealError("The sealed data was changed, or belongs to something else.", { cause });
  }
}

/** Identifies a key without revealing it. */
function idOf(key: Buffer): string {
  return hash("sha256", Buffer.concat([Buffer.from("key id:"), key]), "hex").slice(0, KEY_ID_BYTES * 2);
}

function wrongKey(needed: string, present: readonly string[], keyFile: string): string {
  return `This was sealed with key ${needed}; this service has key ${present.join(", ")}. Restore ${keyFile} from a backup or add the old key to SECRET_KEY; without it the data is lost and has to be deleted.`;
}
