import { isUtf8 } from "node:buffer";
import { callbackify, promisify } from "node:util";

import type * as Undici from "undici";

import { collectBytes, refuseEndless } from "@pergamon-dev/kit/byte-collector";
import { contentCodings } from "./decode-content.ts";
import { dialTarget } from "./dial.ts";
import { type WireAnswer, type Exchange, headerOf, isRedirectStatus } from "./exchange.ts";
import { pinnedTo } from "./guard/pinned-lookup.ts";
import { isGivenNames } from "./proxies.ts";
import type { HeaderList } from "./request-headers.ts";

const MAX_HEAD_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;

/** SOCKS proxies that want names are beyond the fallback client. */
export function canUndiciSend({ proxy }: Exchange): boolean {
  return proxy === undefined || !isGivenNames(proxy) || /^https?:/.test(proxy.url);
}

/**
 * Sends the request with the fallback client, which reads what the primary one cannot: very many headers and
 * non-ASCII values. Its connection is used once. The body of a redirect is not read.
 * @throws errors of the client; the signal's reason once it is aborted.
 */
export async function exchangeByUndici(exchange: Exchange, signal: AbortSignal): Promise<WireAnswer> {
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
    if (!isRedirect) refuseEndless(headerOf(headers, "content-type"), headerOf(headers, "content-length"));
    return {
      status: response.statusCode,
      headers,
      body: isRedirect ? new Uint8Array(0) : await readBody(response.body, exchange.maxBodyBytes),
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
  if (proxy && !isGivenNames(proxy))
    return new Agent({ ...limits, connect: throughProxy(exchange, buildConnector(tls), signal) });
  if (proxy) {
    const proxyTls = { rejectUnauthorized: proxy.skipTlsVerification !== true };
    return new ProxyAgent({ ...limits, uri: proxy.url, requestTls: tls, proxyTls });
  }
  // A host that is an IP literal is not looked up but dialled as it stands; the guard has judged it.
  return new Agent({
    ...limits,
    connect: { ...tls, timeout: CONNECT_TIMEOUT_MS, lookup: pinnedTo(addresses) },
  });
}

/** Connects by way of the proxy, then speaks TLS with the target where its URL says so. */
function throughProxy(
  { url, addresses, proxy }: Exchange,
  connect: Undici.buildConnector.connector,
  signal: AbortSignal,
): Undici.buildConnector.connector {
  const secure = promisify(connect);
  const dial = callbackify(async (options: Undici.buildConnector.Options) => {
    const httpSocket = await dialTarget({ target: url, addresses, proxy }, signal);
    return options.protocol === "https:" ? secure({ ...options, httpSocket }) : httpSocket;
  });
  return (options, callback) =>
    dial(options, (failure, socket) => (socket ? callback(null, socket) : callback(failure, null)));
}

async function readBody(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const collector = collectBytes(maxBytes);
  for await (const chunk of chunks) collector.add(chunk);
  return collector.bytes();
}

/** Header values are sent as UTF-8, as the primary client does. */
function asBytes(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

/** With `responseHeaders: "raw"` names and values alternate, which the declared type does not say. */
function headerPairs(raw: unknown): HeaderList {
  const flat = Array.isArray(raw) ? raw.map((text) => fromBytes(String(text))) : [];
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    pairs.push([(flat[index] ?? "").toLowerCase(), flat[index + 1] ?? ""]);
  }
  return pairs;
}

/** One character per byte came in. Servers that leave ASCII mean UTF-8, or else Latin-1. */
function fromBytes(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : text;
}
