import { STATUS_CODES } from "node:http";

import { decodeContent } from "./decode-content.ts";
import { type WireAnswer, type Exchange, headerOf, isRedirectStatus } from "./exchange.ts";
import { networkErrorOf, remedyOf } from "./failures.ts";
import type { Guard } from "./guard/guard.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Proxy } from "./proxies.ts";
import { type HeaderList, openHeaderComposer, type BrowserProfileName } from "./request-headers.ts";
import { canUndiciSend, exchangeByUndici } from "./undici-exchange.ts";
import { openWreqClient, type WreqClient } from "./wreq-client.ts";

export interface HttpRequest {
  /** http or https, without credentials. */
  readonly url: URL;
  /** They replace the browser's own headers of the same name, in any case. Hop-by-hop ones are ignored. */
  readonly headers: HeaderList;
  readonly skipTlsVerification: boolean;
  /** Which browser the request looks like. */
  readonly profile: BrowserProfileName;
  readonly proxy?: Proxy;
  /** Counted before and after content decoding. */
  readonly maxBodyBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  /** The standard phrase of the status; empty for unknown ones. */
  readonly reason: string;
  /** As received, names in lower case, repeated ones repeated or joined by `, `. */
  readonly headers: HeaderList;
  /** After content decoding. Empty for redirects, whose body is not read. */
  readonly body: Uint8Array;
  /** The address that answered; behind a proxy, the target's as we resolved it. */
  readonly address: string;
}

/** Makes single GET requests, for targets that the guard admits. Redirects are answers like any other. */
export interface HttpClient {
  /** @throws NetworkError; the signal's reason once it is aborted, which also closes the connection within a second or two. */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /** Makes what all requests share. To be called before there are connections, which may take all files. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

export function openHttpClient({ guard }: { readonly guard: Guard }): HttpClient {
  const primary = openWreqClient();
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
    prepare: () => primary.prepare(),
    close: () => primary.close(),
  };
}

/** The primary client, and what to do about its known weaknesses. */
async function carryOut(exchange: Exchange, primary: WreqClient, signal: AbortSignal): Promise<WireAnswer> {
  try {
    const answer = await primary.exchange(exchange, signal);
    if (!mayHaveLostLocation(answer) || !canUndiciSend(exchange)) return answer;
    return await exchangeByUndici(exchange, signal).catch(() => answer);
  } catch (failure) {
    signal.throwIfAborted();
    const remedy = remedyOf(failure);
    if (remedy === "once more") return primary.exchange(exchange, signal);
    if (remedy === "other client" && canUndiciSend(exchange)) return exchangeByUndici(exchange, signal);
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
