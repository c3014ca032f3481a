import { STATUS_CODES } from "node:http";
import { isUtf8 } from "node:buffer";
import type * as Undici from "undici";

import { contentCodings, decodeContent } from "./decode-content.ts";
import { type Exchange, headerOf, isRedirectStatus, type WireAnswer } from "./exchange.ts";
import { networkErrorOf, remedyOf } from "./failures.ts";
import type { Guard } from "./guard/guard.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import { isGivenNames, type Proxy } from "./proxies.ts";
import { type BrowserProfileName, type HeaderList, openHeaderComposer } from "./request-headers.ts";
import { nativeClient } from "./native-client.ts";
import { openWreqClient, type WreqClient } from "./wreq-client.ts";
import { collectBytes, refuseEndless } from "@pergamon-dev/kit/byte-collector";
import { throughProxy } from "./outbound.ts";
import { pinnedTo } from "./guard/pinned-lookup.ts";

export interface HttpRequest {
  /** http or https, without credentials. */
  readonly url: URL;
  /** Replace the browser's own headers of the same name, in any case. Hop-by-hop headers are ignored. */
  readonly headers: HeaderList;
  readonly skipTlsVerification: boolean;
  /** Browser that the request imitates. */
  readonly profile: BrowserProfileName;
  readonly proxy?: Proxy;
  /** Applies both before and after content decoding. */
  readonly maxBodyBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  /** The standard phrase of the status; empty for unknown statuses. */
  readonly reason: string;
  /** As received, with names in lower case. Repeated headers stay repeated or are joined by `, `. */
  readonly headers: HeaderList;
  /** After content decoding. Empty for redirects, whose body is not read. */
  readonly body: Uint8Array;
  /** The address that answered. Behind a proxy, this is the target's address as we resolved it. */
  readonly address: string;
}

/**
 * Makes single GET requests to targets that the guard admits. Redirects are returned like any other response.
 */
export interface HttpClient {
  /**
   * @throws NetworkError; the signal's reason once it is aborted, which also closes the connection within a
   * second or two.
   */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /**
   * Creates the resources that all requests share. Call it before connections exist, which may use up all
   * file descriptors.
   */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

export function openHttpClient({ guard }: { readonly guard: Guard }): HttpClient {
  const primary = nativeClient && openWreqClient(nativeClient);
  const composer = openHeaderComposer();
  return {
    async request(request, signal) {
      const { addresses } = await guard.admit(request.url, signal);
      const headers = composer.compose(request.url, request.profile, request.headers);
      const exchange: Exchange = { ...request, proxy: request.proxy, addresses, headers };
      try {
        const answer = await carryOut(exchange, primary, signal);
        if (answer.status === 407 && request.proxy) throw proxyRefused();
        return await responseOf(answer, request.maxBodyBytes);
      } catch (failure) {
        signal.throwIfAborted();
        throw networkErrorOf(failure, request.url);
      }
    },
    prepare: async () => primary?.prepare(),
    close: async () => primary?.close(),
  };
}

/** Uses the primary client, where there is one, and works around its known weaknesses. */
async function carryOut(
  exchange: Exchange,
  primary: WreqClient | undefined,
  signal: AbortSignal,
): Promise<WireAnswer> {
  if (!primary) return exchangeByUndici(exchange, signal);
  try {
    const answer = await primary.exchange(exchange, signal);
    if (!mayHaveLostLocation(answer)) return answer;
    return await exchangeByUndici(exchange, signal).catch(() => answer);
  } catch (failure) {
    signal.throwIfAborted();
    const remedy = remedyOf(failure);
    if (remedy === "once more") return primary.exchange(exchange, signal);
    if (remedy === "other client") return exchangeByUndici(exchange, signal);
    throw failure;
  }
}

/** The primary client drops header values that are not ASCII. */
function mayHaveLostLocation({ status, headers }: WireAnswer): boolean {
  return isRedirectStatus(status) && headerOf(headers, "location") === undefined;
}

async function responseOf(answer: WireAnswer, maxBodyBytes: number): Promise<HttpResponse> {
  return {
    status: answer.status,
    reason: STATUS_CODES[answer.status] ?? "",
    headers: answer.headers,
    body: await decodeContent(answer.body, answer.codings, maxBodyBytes),
    address: answer.address,
  };
}

function proxyRefused(): NetworkError {
  return new NetworkError("proxy", "The upstream proxy refused our credentials.");
}

const MAX_HEAD_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;

/**
 * Sends the request with the fallback client, which can read what the primary one cannot: very many headers,
 * non-ASCII values, bodies that end too early. Its connection is used once. The body of a redirect is not read.
 * @throws errors of the client; the signal's reason once it is aborted.
 */
async function exchangeByUndici(exchange: Exchange, signal: AbortSignal): Promise<WireAnswer> {
  const { default: undici } = await import("undici");
  const dispatcher = dispatcherFor(exchange, undici, signal);
  try {
    const response = await undici.request(exchange.url, {
      dispatcher,
      signal,
      headers: exchange.headers.flatMap(([name, value]) => [name, asBytes(value)]),
      responseHeaders: "raw",
    });
    const headers = headerPairs(response.headers);
    const isRedirect = isRedirectStatus(response.statusCode) && headerOf(headers, "location") !== undefined;
    const type = headerOf(headers, "content-type");
    if (!isRedirect) refuseEndless(type, headerOf(headers, "content-length"));
    return {
      status: response.statusCode,
      headers,
      body: isRedirect
        ? new Uint8Array(0)
        : await readBody(response.body, exchange.maxBodyBytes, TEXT.test(type ?? "")),
      codings: contentCodings(headerOf(headers, "content-encoding")),
      address: exchange.addresses[0] ?? "",
    };
  } finally {
    await dispatcher.destroy();
  }
}

function dispatcherFor(
  exchange: Exchange,
  { Agent, ProxyAgent, buildConnector }: typeof Undici.default,
  signal: AbortSignal,
): Undici.Dispatcher {
  const { addresses, skipTlsVerification, proxy } = exchange;
  const limits = { maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: 0, bodyTimeout: 0 };
  const tls = { rejectUnauthorized: !skipTlsVerification };
  if (proxy && (!isGivenNames(proxy) || proxy.url.startsWith("socks")))
    return new Agent({
      ...limits,
      connect: throughProxy({ target: exchange.url, addresses, proxy }, buildConnector(tls), () => signal),
    });
  if (proxy) {
    const proxyTls = { rejectUnauthorized: proxy.skipTlsVerification !== true };
    return new ProxyAgent({ ...limits, uri: proxy.url, requestTls: tls, proxyTls });
  }
  // An IP literal is dialled without a look-up. The guard has judged it.
  return new Agent({
    ...limits,
    connect: { ...tls, timeout: CONNECT_TIMEOUT_MS, lookup: pinnedTo(addresses) },
  });
}

const TEXT = /^(?:$|text\/)|html|xml/i;

/** @param isText - what has arrived of a text that ends too early is the page, as in browsers */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  isText: boolean,
): Promise<Uint8Array> {
  const collector = collectBytes(maxBytes);
  try {
    for await (const chunk of chunks) collector.add(chunk);
  } catch (failure) {
    const hasSome = isText && collector.bytes().byteLength > 0;
    if (!hasSome || remedyOf(failure) !== "what has come") throw failure;
  }
  return collector.bytes();
}

/** Header values are sent as UTF-8, as the primary client does. */
function asBytes(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

/** With `responseHeaders: "raw"` names and values alternate, contrary to the declared type. */
function headerPairs(raw: unknown): HeaderList {
  const flat = Array.isArray(raw) ? raw.map((text) => fromBytes(String(text))) : [];
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    pairs.push([(flat[index] ?? "").toLowerCase(), flat[index + 1] ?? ""]);
  }
  return pairs;
}

/** The text has one character per byte. Servers that leave ASCII use UTF-8, or else Latin-1. */
function fromBytes(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : text;
}
