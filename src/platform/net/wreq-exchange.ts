import { fetch, type Response, type Transport } from "wreq-js";

import { unmapAddress } from "./addresses.ts";
import { collectBytes, tooLarge } from "./byte-collector.ts";
import { contentCodings } from "./decode-content.ts";
import { type Answer, type Exchange, isRedirectStatus } from "./exchange.ts";
import { NetworkError } from "./network-error.ts";

/** Longer than any scrape: the signal ends a request, never the client's own clock. */
const NO_TIMEOUT_MS = 3_600_000;
const NOTHING = new Uint8Array(0);

/**
 * Sends the request with the fingerprint of a browser. The body of a redirect is not read.
 * @throws whatever the client throws; the signal's reason once it is aborted.
 */
export async function exchangeByWreq(
  exchange: Exchange,
  transport: Transport,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await send(exchange, transport, signal, { decodes: false });
  const codings = contentCodings(response.headers.get("content-encoding") ?? undefined);
  if (codings.length !== 1 || codings[0] !== "zstd") return receive(response, exchange, codings, signal);
  // Only the native client can decode zstd, and it must know so before. We did not ask for zstd.
  await response.body?.cancel();
  const decoded = await send(exchange, transport, signal, { decodes: true });
  return receive(decoded, exchange, [], signal);
}

async function send(
  exchange: Exchange,
  transport: Transport,
  signal: AbortSignal,
  { decodes }: { readonly decodes: boolean },
): Promise<Response> {
  const response = await fetch(exchange.url.href, {
    transport,
    headers: [...exchange.headers],
    disableDefaultHeaders: true,
    redirect: "manual",
    compress: decodes,
    captureDiagnostics: true,
    timeout: NO_TIMEOUT_MS,
    signal,
  });
  return response;
}

async function receive(
  response: Response,
  exchange: Exchange,
  codings: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  const address = dialledAddress(response, exchange);
  const { maxBodyBytes } = exchange;
  const isRedirect = isRedirectStatus(response.status) && response.headers.has("location");
  const isTooLarge = hasBody(response) && Number(response.headers.get("content-length") ?? 0) > maxBodyBytes;
  if (isRedirect || isTooLarge || address === undefined) await response.body?.cancel();
  if (address === undefined) throw blocked(exchange);
  if (isTooLarge && !isRedirect) throw tooLarge(maxBodyBytes);
  const body = isRedirect ? NOTHING : await readBody(response, maxBodyBytes, signal);
  return { status: response.status, headers: [...response.headers], body, codings, address };
}

/** Reads to the end, or lets go of the connection at once. */
async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return NOTHING;
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const collector = collectBytes(maxBytes);
    for (let next = await reader.read(); !next.done; next = await reader.read()) collector.add(next.value);
    signal.throwIfAborted();
    return collector.bytes();
  } catch (failure) {
    stop();
    throw failure;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A 304 states the length of a body that it does not have. */
function hasBody(response: Response): boolean {
  return response.status !== 304 && response.status !== 204;
}

/**
 * The address that answered. Undefined when it is none of the admitted ones although no proxy was to be used:
 * the last line of defence, after pinning.
 */
function dialledAddress(response: Response, { addresses, proxy }: Exchange): string | undefined {
  const dialled = response.diagnostics?.remoteAddr?.replace(/:\d+$/, "").replaceAll(/^\[|\]$/g, "");
  if (proxy || dialled === undefined) return addresses[0];
  return addresses.find((address) => address === dialled || unmapAddress(address) === unmapAddress(dialled));
}

function blocked({ url }: Exchange): NetworkError {
  return new NetworkError("blocked", "Connection violated security rules.", { host: url.hostname });
}
