import { createHash, createHmac } from "node:crypto";

import type { S3Address } from "./s3-url.ts";

/** What a signature speaks for. The bytes of objects are not signed: TLS protects them, as all else. */
export interface UnsignedRequest {
  readonly method: string;
  readonly host: string;
  /** As it is sent. */
  readonly path: string;
  /** As it is sent: names and values are encoded by `encodeForSignature`. */
  readonly query: readonly string[];
  /** In lower case. All but `range` are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeMs: number;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const SERVICE = "s3";
const SCOPE_END = "aws4_request";
/** Proxies may change it. */
const UNSIGNED_HEADER = "range";

/**
 * Signatures of version 4, in this thread: through WebCrypto, two digests of some hundred bytes wait for three jobs of the
 * thread pool, which cost ten times what they do.
 */
export class S3Signer {
  readonly #address: S3Address;
  /** It is good for a day. */
  #key: { readonly day: string; readonly bytes: Buffer } | undefined;

  constructor(address: S3Address) {
    this.#address = address;
  }

  /** @returns the headers to send. */
  sign({ method, host, path, query, headers, timeMs }: UnsignedRequest): Record<string, string> {
    const { accessKeyId, region } = this.#address;
    const time = timeOfSignature(timeMs);
    const day = time.slice(0, 8);
    const sent = { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD", "x-amz-date": time };
    const signed = Object.entries({ ...sent, host })
      .filter(([name]) => name !== UNSIGNED_HEADER)
      .toSorted(byName);
    const lines = signed.map(([name, value]) => `${name}:${value}\n`).join("");
    const names = signed.map(([name]) => name).join(";");
    const parameters = query.toSorted((one, other) => byName(one.split("="), other.split("="))).join("&");
    const request = [method, path, parameters, lines, names, sent["x-amz-content-sha256"]].join("\n");
    const scope = `${day}/${region}/${SERVICE}/${SCOPE_END}`;
    const digest = createHash("sha256").update(request).digest("hex");
    const signature = hmac(this.#keyOf(day), `${ALGORITHM}\n${time}\n${scope}\n${digest}`).toString("hex");
    const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return { ...sent, authorization };
  }

  #keyOf(day: string): Buffer {
    if (this.#key?.day !== day) {
      const { secretAccessKey, region } = this.#address;
      const parts = [day, region, SERVICE, SCOPE_END];
      const bytes = parts.reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`));
      this.#key = { day, bytes };
    }
    return this.#key.bytes;
  }
}

/** As RFC 3986 says, which leaves less as it is than browsers do. */
export function encodeForSignature(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** By bytes: the names are ASCII. */
function byName([one = ""]: readonly string[], [other = ""]: readonly string[]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** As 20260131T235959Z. */
function timeOfSignature(timeMs: number): string {
  return new Date(timeMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, "");
}
