import { setTimeout as pause } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import aws4 from "aws4";

import type { BlobSource } from "./blob-store.ts";
import type { S3Address } from "./s3-url.ts";

/** An answer of the store, whose body has to be read, or destroyed. */
export type S3Answer = Dispatcher.ResponseData;

/** One request to a bucket. */
interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Of the object, without the prefix; empty: the bucket itself. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | BlobSource;
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;
/** Until the answer begins, and as long again for what is read as a whole. */
const ANSWER_LIMIT_MS = 30_000;
const MAX_REASON_BYTES = 64 * 1024;
/** Requests are good for 15 minutes by the clock of the store. */
const CLOCKS_DIFFER = "RequestTimeTooSkewed";
const LEAST_SKEW_MS = 60_000;
/** Busy, or out of order for a moment. 409 is answered while the same name is written twice. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504]);

/** Signs requests and repeats those that fail for a moment: every one of them may be made twice. */
export class S3Requests {
  readonly #address: S3Address;
  readonly #bucket: URL;
  readonly #agent = new Agent();
  /** How far the store's clock is ahead, once it has refused the time of this machine. */
  #skewMs = 0;

  constructor(address: S3Address) {
    this.#address = address;
    this.#bucket = new URL(address.bucketUrl);
  }

  /**
   * @param use reads the answer; it is called again when the connection breaks while it does.
   * @throws Error with the reason that the store gives. 404 of an object and 416 are answers.
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

  /** Whether everyone may read the object, without a key. */
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

  /** Empty: of the bucket itself. */
  #pathOf(name: string): string {
    const { pathname } = this.#bucket;
    if (name === "") return pathname;
    return `${pathname}/${(this.#address.prefix + name).split("/").map(encodeForSignature).join("/")}`;
  }
}

function isGood({ statusCode }: S3Answer): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The store has answered, with no. */
class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** The time of the store when it answered. */
  readonly storeMs: number;
  /** Whether it only says that there is no such object, or no such part of it. */
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

/** A bucket elsewhere, or a signature for elsewhere. */
function isOfRegion(status: number, code: string): boolean {
  return (status >= 300 && status < 400) || code === "AuthorizationHeaderMalformed";
}

async function refusalOf(answer: S3Answer, what: string): Promise<S3Refusal> {
  const text = await textOf(answer, MAX_REASON_BYTES);
  return new S3Refusal(answer, { what, code: /<Code>(\w{1,100})<\/Code>/.exec(text ?? "")?.[1] ?? "" });
}

/** The body; undefined when it is longer: the rest is not read. */
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
