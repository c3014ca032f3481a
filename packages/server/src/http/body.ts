import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Readable, type Transform } from "node:stream";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";

import { ServiceError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import type { JsonBounds } from "@pergamon-dev/kit/foreign/json-bounds";
import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { type HeldBodies, SMALL_BODY_BYTES } from "../api/held-bodies.ts";
import { clientGone } from "./client-gone.ts";

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Each member may become an issue of its own, at some 10 µs each. */
const BOUNDS = { maxBytes: limits.bodyBytes, maxValues: 50_000, maxMembers: 10_000 } as const;
/** Bounds of operations that take long lists, which have their own limit of bytes. */
const BOUNDS_OF_LISTS = { maxValues: 200_000, maxMembers: 10_000 } as const;

/** Maximum characters of all bodies whose values are remembered, and of the longest one. */
const REMEMBERED_LENGTH = 1_000_000;
export const MAX_REMEMBERED_LENGTH = 4_000;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Content types of bodies that are not held in memory. */
    streamed?: RegExp | undefined;
  }
}

interface BodyParts {
  readonly remembered?: RememberedBodies | undefined;
  readonly held?: HeldBodies | undefined;
}

/**
 * Parses bodies as JSON regardless of the content type; an empty one counts as `{}` (contract, section 1.0).
 */
export function acceptJsonBodies(
  app: FastifyInstance,
  { remembered = rememberBodies(), held }: BodyParts = {},
): void {
  app.removeAllContentTypeParsers();
  const thread = new ForeignThread();
  app.addHook("onClose", () => thread.close());
  const releases = new WeakMap<FastifyRequest, () => void>();
  const parse = openBodyParser(thread, remembered);
  app.addContentTypeParser("*", { parseAs: "string" }, (request: FastifyRequest, body: string) => {
    if (body.length <= SMALL_BODY_BYTES) releases.get(request)?.();
    recordWork(request.routeOptions.url === "/mcp" ? "mcp" : "rest");
    return parse(body, { isPrivate: keepsNothing(request), bounds: boundsOf(request) });
  });
  app.addHook("preParsing", (request, reply, payload: Readable, done) => {
    // NOTE: without a type, and without the length removed below, the body would count as missing.
    request.headers["content-type"] ??= "application/json";
    const encoding = request.headers["content-encoding"]?.trim().toLowerCase();
    const decoder = encoding === undefined ? undefined : decoders.get(encoding);
    // The received length does not describe the decoded body, to which the body limit applies.
    if (decoder) delete request.headers["content-length"];
    const pass = () => done(null, decoder ? decode(payload, decoder()) : payload);
    const sizeBytes = heldBytesOf(request);
    if (!held || sizeBytes <= SMALL_BODY_BYTES) return pass();
    const holding = holdBody(sizeBytes, request, { reply, held });
    void holding.then((release) => void releases.set(request, release)).then(pass, done);
  });
}

/** Bytes of a body that may be in memory. Without a length header, the body may reach its limit. */
function heldBytesOf({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): number {
  if (config.streamed?.test(headers["content-type"] ?? "")) return 0;
  const length = headers["content-length"];
  const hasBody = headers["transfer-encoding"] !== undefined || headers["content-encoding"] !== undefined;
  if (length === undefined) return hasBody ? bodyLimit : 0;
  return Math.min(Number(length), bodyLimit);
}

/** Holds the body's bytes until the response is sent, because the request may need them until then. */
async function holdBody(
  sizeBytes: number,
  request: FastifyRequest,
  { reply, held }: { readonly reply: FastifyReply; readonly held: HeldBodies },
): Promise<() => void> {
  const { caller, ip } = request as { caller?: FastifyRequest["caller"]; ip: string };
  try {
    const release = await held.hold(caller?.teamId ?? ip, sizeBytes, clientGone(reply));
    reply.raw.once("close", release);
    if (reply.raw.closed) release();
    return release;
  } catch (failure) {
    reply.header("connection", "close");
    throw failure;
  }
}

function decode(payload: Readable, decoder: Transform): Readable {
  payload.on("error", (failure) => decoder.destroy(failure));
  decoder.on("error", () => payload.resume());
  return Readable.from(decodedParts(payload.pipe(decoder)), { objectMode: false });
}

/** @throws ServiceError BAD_REQUEST when the bytes are not in the encoding that the request names. */
async function* decodedParts(decoder: Transform): AsyncGenerator<Buffer> {
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (cause) {
    const message = "The body cannot be decoded with the encoding in content-encoding. Check that header.";
    throw new ServiceError("BAD_REQUEST", { message, cause });
  }
}

function boundsOf({ routeOptions: { bodyLimit } }: FastifyRequest): JsonBounds {
  return bodyLimit > limits.bodyBytes ? { ...BOUNDS_OF_LISTS, maxBytes: bodyLimit } : BOUNDS;
}

/** Before the body is read, the caller is known if a key was required. */
function keepsNothing({ caller }: { readonly caller?: FastifyRequest["caller"] }): boolean {
  return caller?.team.flags.zeroDataRetention === "forced";
}

interface BodyRules {
  /** True when nothing of the body may be remembered. */
  readonly isPrivate: boolean;
  readonly bounds: JsonBounds;
}

/**
 * Parsed values by text. Polling clients send the same text repeatedly, and get the same value, which must
 * not be changed. Bodies with secrets, or with zero data retention, are not remembered.
 */
export type RememberedBodies = LRUCache<string, object>;

export function rememberBodies(): RememberedBodies {
  return new LRUCache({ maxSize: REMEMBERED_LENGTH, sizeCalculation: (_value, text) => text.length });
}

function openBodyParser(
  thread: ForeignThread,
  remembered: RememberedBodies,
): (text: string, how: BodyRules) => Promise<unknown> {
  return async (text, { isPrivate, bounds }) => {
    const parseBody = () => parseWithin(text, bounds, thread);
    if (isPrivate) return parseBody();
    const known = remembered.get(text);
    if (known) return known;
    const value = await parseBody();
    const isShort = text.length > 0 && text.length <= MAX_REMEMBERED_LENGTH;
    if (isShort && mayBeRemembered(value)) remembered.set(text, value);
    return value;
  };
}

/**
 * Request fields that hold secrets, such as cookies and typed passwords, that ask for zero retention, or that
 * wrap such fields.
 */
const PRIVATE_FIELDS = [
  "headers",
  "actions",
  "zeroDataRetention",
  "lockdown",
  "alexandria",
  "params",
  "key",
  "token",
  "fill",
] as const;

function mayBeRemembered(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (PRIVATE_FIELDS.some((name) => Object.hasOwn(value, name))) return false;
  // User names and passwords precede an @, which is rare elsewhere in URLs.
  return !("url" in value && typeof value.url === "string" && value.url.includes("@"));
}

async function parseWithin(body: string, bounds: JsonBounds, thread: ForeignThread): Promise<unknown> {
  if (body.trim() === "") return {};
  try {
    return await thread.parse(body, bounds);
  } catch (cause) {
    if (!(cause instanceof ForeignJsonError)) throw cause;
    if (cause.kind === "malformed") throw new ServiceError("BAD_REQUEST_INVALID_JSON", { cause });
    throw new ServiceError("BAD_REQUEST", { message: `The body ${cause.message}.`, cause });
  }
}
