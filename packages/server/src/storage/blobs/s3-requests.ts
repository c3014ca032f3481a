import { setTimeout as pause } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import aws4 from "aws4";

import type { BlobSource } from "./blob-store.ts";
import type { S3Address } from "./s3-url.ts";

/** A response of the store. The caller must read or destroy its body. */
export type S3Answer = Dispatcher.ResponseData;

interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Object name without the prefix. The empty name stands for the bucket itself. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | BlobSource;
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;
/** Limit until the response begins, and again for bodies that are read as a whole. */
const ANSWER_LIMIT_MS = 30_000;
const MAX_REASON_BYTES = 64 * 1024;
/** The store rejects a request whose time differs from its own clock by more than 15 minutes. */
const CLOCKS_DIFFER = "RequestTimeTooSkewed";
const LEAST_SKEW_MS = 60_000;
/**
 * Status codes of a busy store or a brief outage. The store answers 409 while two requests write the same
 * name.
 */
const TRANSIENT: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504]);

/** Signs requests and repeats those that fail temporarily. Every request is safe to repeat. */
export class S3Requests {
  readonly #address: S3Address;
  readonly #bucket: URL;
  readonly #agent = new Agent();
  /**
   * Milliseconds that the store's clock is ahead, known once the store has refused the time of this machine.
   */
  #skewMs = 0;

  constructor(address: S3Address) {
    this.#address = address;
    this.#bucket = new URL(address.bucketUrl);
  }

  /**
   * @param use reads the response. It is called again when the connection breaks while it reads.
   * @throws Error with the reason that the store gives. 404 of an object and 416 count as responses.
   */
  async send<Result>(request: S3Request, use: (answer: S3Answer) => Promise<Result>): Promise<Result> {
    for (let attempt = 1, pauseMs = FIRST_PAUSE_MS; ; attempt += 1, pauseMs *= 4) {
      try {
        return await this.#attempt(request, use);
      } catch (failure) {
        if (attempt === ATTEMPTS || !this.#mayRepeat(failure)) throw failure;
      }
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }

  /** Says whether anybody can read the object without a key. */
  async isPublic(name: string): Promise<boolean> {
    const answer = await this.#ask({ method: "GET", path: this.#pathOf(name), headers: {} });
    answer.body.on("error", () => undefined).destroy();
    return isGood(answer);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #mayRepeat(failure: unknown): boolean {
    if (!(failure instanceof S3Refusal)) return true;
    if (failure.code !== CLOCKS_DIFFER || Number.isNaN(failure.storeMs)) return TRANSIENT.has(failure.status);
    const known = this.#skewMs;
    this.#skewMs = failure.storeMs - Date.now();
    return Math.abs(this.#skewMs - known) > LEAST_SKEW_MS;
  }

  async #attempt<Result>(request: S3Request, use: (answer: S3Answer) => Promise<Result>): Promise<Result> {
    const { method, name, body, headers = {}, query = {} } = request;
    const path = this.#pathOf(name);
    const parameters = Object.entries(query).map(
      ([key, value]) => `${encodeForSignature(key)}=${encodeForSignature(value)}`,
    );
    const target = parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
    const timeMs = Date.now() + this.#skewMs;
    const unsigned = { method, host: this.#bucket.host, path: target, headers, timeMs };
    const signed = signedHeaders(unsigned, this.#address);
    const length = { "content-length": String(body && "open" in body ? body.sizeBytes : body?.byteLength) };
    const answer = await this.#ask({
      method,
      path: target,
      headers: { ...signed, ...(body && length) },
      ...(body && { body: "open" in body ? body.open() : body }),
    });
    if (isGood(answer)) return use(answer);
    const refusal = await refusalOf(answer, `${method} ${request.name}`);
    if (refusal.isAnswer) return use(answer);
    throw refusal;
  }

  #ask(options: Pick<Dispatcher.RequestOptions, "method" | "path" | "headers" | "body">): Promise<S3Answer> {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    return this.#agent.request({ ...options, origin: this.#bucket.origin, signal });
  }

  /** @param name empty for the bucket itself. */
  #pathOf(name: string): string {
    const { pathname } = this.#bucket;
    if (name === "") return pathname;
    return `${pathname}/${(this.#address.prefix + name).split("/").map(encodeForSignature).join("/")}`;
  }
}

function isGood({ statusCode }: S3Answer): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The store answered with an error. */
class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Time of the store's response, by the store's clock. */
  readonly storeMs: number;
  /** True when the store only says that the object, or the requested part of it, does not exist. */
  readonly isAnswer: boolean;

  constructor(
    { statusCode: status, headers }: S3Answer,
    { what, code }: { readonly what: string; readonly code: string },
  ) {
    const hint = isOfRegion(status, code) ? `. Check the endpoint and ?region= of BLOBS_URL` : "";
    super(`The S3 store refused ${what.trim()}: ${status} ${code}`.trimEnd() + hint);
    this.status = status;
    this.code = code;
    this.storeMs = Date.parse(String(headers["date"] ?? ""));
    this.isAnswer = status === 416 || (status === 404 && code !== "NoSuchBucket");
  }
}

/** True when the bucket is in another region, or the signature is for another region. */
function isOfRegion(status: number, code: string): boolean {
  return (status >= 300 && status < 400) || code === "AuthorizationHeaderMalformed";
}

async function refusalOf(answer: S3Answer, what: string): Promise<S3Refusal> {
  const text = await textOf(answer, MAX_REASON_BYTES);
  return new S3Refusal(answer, { what, code: /<Code>(\w{1,100})<\/Code>/.exec(text ?? "")?.[1] ?? "" });
}

/** @returns the body, or undefined when it is longer than `maxBytes`; the rest is not read then. */
export async function textOf(answer: S3Answer, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The parts of a request that a signature covers. Object bytes are not signed, because TLS protects them. */
export interface UnsignedRequest {
  readonly method: string;
  readonly host: string;
  /** Path as sent, with the query. Names and values are encoded by `encodeForSignature`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeMs: number;
}

/**
 * Signs in this thread. With WebCrypto, two digests of a few hundred bytes wait for three jobs of the thread
 * pool, which cost ten times as much as the digests.
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

/** Encodes by RFC 3986, which leaves fewer characters unencoded than `encodeURIComponent`. */
export function encodeForSignature(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
