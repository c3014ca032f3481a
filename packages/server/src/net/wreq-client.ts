import type { Response, Transport } from "wreq-js";

import { limits } from "../api/limits.ts";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { unmapAddress } from "./guard/addresses.ts";
import { refuseEndless, tooLarge } from "@pergamon-dev/kit/byte-collector";
import { contentCodings, decodesZstd } from "./decode-content.ts";
import { type WireAnswer, type Exchange, isRedirectStatus } from "./exchange.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { NativeClient } from "./native-client.ts";
import { type BodyReader, openBodyReader } from "./wreq-body.ts";
import { openTransportPool } from "./wreq-transports.ts";

/**
 * Longest duration of a scrape. The signal normally ends a request before. This limit applies where no signal
 * can: the native client keeps a connection whose target falls silent in the middle of a body until this time
 * is over.
 */
const MAX_EXCHANGE_MS = limits.timeoutMs.maximum;
/** Time that a response may still take after the abort. */
const LATE_ANSWER_MS = 100;
const NOTHING = new Uint8Array(0);

/** The primary client, which has the TLS and HTTP/2 fingerprint of a browser. */
export interface WreqClient {
  /**
   * Sends the request. The body of a redirect is not read.
   * @throws errors of the native client, NetworkError, or the signal's reason once it is aborted.
   */
  exchange(exchange: Exchange, signal: AbortSignal): Promise<WireAnswer>;
  /**
   * Creates the resources that all requests share. Later there may be no file descriptors left for them, and
   * no request could ever be sent.
   */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** No server can listen at this address. */
const NOWHERE = "http://127.0.0.1:0/";
/** A panic of the native client leaves this rejected promise, which its request does not know of. */
const DROPPED = /^`neon::types::Deferred` was dropped/;

/** Recognises unhandled rejections after such a panic. */
export function isDroppedByNatives(failure: unknown): boolean {
  return failure instanceof Error && DROPPED.test(failure.message);
}

export function openWreqClient(native: NativeClient): WreqClient {
  const transports = openTransportPool(native);
  const bodies = openBodyReader(native);
  const { createTransport, fetch } = native;
  return {
    async exchange(exchange, signal) {
      const { transport, giveBack } = await transports.lend(exchange);
      try {
        return await exchangeOver({ fetch, transport, exchange }, bodies, signal);
      } finally {
        giveBack();
      }
    },
    async prepare() {
      const transport = await createTransport();
      await fetch(NOWHERE, { transport, timeout: LATE_ANSWER_MS }).catch(() => undefined);
      await transport.close();
    },
    async close() {
      await bodies.close();
      await transports.close();
    },
  };
}

async function exchangeOver(
  outgoing: Outgoing,
  bodies: BodyReader,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const { exchange } = outgoing;
  const response = await send(outgoing, bodies, signal);
  const codings = contentCodings(response.headers.get("content-encoding") ?? undefined);
  if (decodesZstd || codings.length !== 1 || codings[0] !== "zstd")
    return receive({ response, exchange, codings }, bodies, signal);
  // Only the native client can decode it, and must know so before. We did not ask for zstd.
  await bodies.discard(response);
  const decoded = await send({ ...outgoing, decodes: true }, bodies, signal);
  return receive({ response: decoded, exchange, codings: [] }, bodies, signal);
}

interface Outgoing extends Pick<NativeClient, "fetch"> {
  readonly exchange: Exchange;
  readonly transport: Transport;
  readonly decodes?: boolean;
}

/**
 * NOTE: the native client loses a response that arrives at the very moment of the abort, and keeps its
 * connection. It therefore learns of the abort a little later than all others, and a late response is
 * discarded.
 */
async function send(outgoing: Outgoing, bodies: BodyReader, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted();
  const abort = new AbortController();
  const answer = start(outgoing, abort.signal);
  try {
    return await untilAborted(answer, signal);
  } catch (failure) {
    answer.then(bodies.discard).catch(() => undefined);
    setTimeout(() => abort.abort(), LATE_ANSWER_MS).unref();
    throw failure;
  }
}

function start(
  { fetch, exchange, transport, decodes = false }: Outgoing,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(exchange.url.href, {
    transport,
    headers: exchange.headers,
    disableDefaultHeaders: true,
    redirect: "manual",
    compress: decodes,
    captureDiagnostics: true,
    timeout: MAX_EXCHANGE_MS,
    signal,
  });
}

interface Incoming {
  readonly response: Response;
  readonly exchange: Exchange;
  readonly codings: readonly string[];
}

async function receive(
  { response, exchange, codings }: Incoming,
  bodies: BodyReader,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const address = dialledAddress(response, exchange);
  const { maxBodyBytes } = exchange;
  const isRedirect = isRedirectStatus(response.status) && response.headers.has("location");
  const isTooLarge = hasBody(response) && Number(response.headers.get("content-length") ?? 0) > maxBodyBytes;
  if (isRedirect || isTooLarge || address === undefined) await bodies.discard(response);
  if (address === undefined) throw blocked(exchange);
  if (isTooLarge && !isRedirect) throw tooLarge(maxBodyBytes);
  if (!isRedirect) await ended(response, bodies);
  const body = isRedirect ? NOTHING : await bodies.read(response, maxBodyBytes, signal);
  return { status: response.status, headers: [...response.headers], body, codings, address };
}

/** @throws NetworkError of kind `endless`, once the connection is closed. */
async function ended(response: Response, bodies: BodyReader): Promise<void> {
  const { headers } = response;
  try {
    refuseEndless(headers.get("content-type") ?? undefined, headers.get("content-length") ?? undefined);
  } catch (failure) {
    await bodies.discard(response);
    throw failure;
  }
}

/** A 304 states the length of a body that it does not have. */
function hasBody(response: Response): boolean {
  return response.status !== 304 && response.status !== 204;
}

/**
 * Returns the address that answered. It is undefined for an address that was not admitted when no proxy was
 * to be used: the last line of defence, after pinning.
 */
function dialledAddress(response: Response, { addresses, proxy }: Exchange): string | undefined {
  const dialled = response.diagnostics?.remoteAddr?.replace(/:\d+$/, "").replaceAll(/^\[|\]$/g, "");
  if (proxy || dialled === undefined) return addresses[0];
  return addresses.find((address) => address === dialled || unmapAddress(address) === unmapAddress(dialled));
}

function blocked({ url }: Exchange): NetworkError {
  return new NetworkError("blocked", "Connection violated security rules.", { host: url.hostname });
}
