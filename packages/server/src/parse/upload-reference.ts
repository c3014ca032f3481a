import { createHmac, timingSafeEqual } from "node:crypto";

import { ServiceError } from "../api/errors.ts";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { Secrets } from "../storage/secrets/secrets.ts";

type Keys = ReturnType<Secrets["keysFor"]>;

/** What names an upload for everybody who has it: its id, when it expires, and a signature of both. */
export function signReference(id: string, expiresAtMs: number, keys: Keys): string {
  return `${id}.${expiresAtMs}.${signatureOf(keys[0], id, String(expiresAtMs))}`;
}

/**
 * The id of an upload that was named.
 * @throws ServiceError BAD_REQUEST when the reference was not made here, or its time is over.
 */
export function readReference(reference: string, keys: Keys, nowMs: number): string {
  const [id = "", expires = "", signature = ""] = reference.split(".", 3);
  const isOwn = isUuid(id) && keys.some((key) => isSame(signature, signatureOf(key, id, expires)));
  if (!isOwn) throw new ServiceError("BAD_REQUEST", { message: "Invalid uploadRef signature." });
  if (Number(expires) <= nowMs) {
    throw new ServiceError("BAD_REQUEST", { message: "uploadRef has expired." });
  }
  return id;
}

function signatureOf(key: Buffer, id: string, expires: string): string {
  return createHmac("sha256", key).update(`${id}.${expires}`).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
