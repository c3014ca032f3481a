import aws4 from "aws4";

import type { S3Address } from "./s3-url.ts";

/** What a signature speaks for. The bytes of objects are not signed: TLS protects them, as all else. */
export interface UnsignedRequest {
  readonly method: string;
  readonly host: string;
  /** As it is sent, query included: names and values are encoded by `encodeForSignature`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeMs: number;
}

/**
 * Signs in this thread: through WebCrypto, two digests of some hundred bytes wait for three jobs of the thread pool, which
 * cost ten times what they do.
 *
 * @returns the headers to send.
 */
export function signedHeaders(request: UnsignedRequest, address: S3Address): Record<string, string> {
  const { method, host, path, timeMs } = request;
  const headers = {
    ...request.headers,
    "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
    "x-amz-date": new Date(timeMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
  };
  const signed = aws4.sign({ service: "s3", region: address.region, method, host, path, headers }, address);
  return { ...headers, authorization: String(signed.headers?.["Authorization"]) };
}

/** As RFC 3986 says, which leaves less as it is than browsers do. */
export function encodeForSignature(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
