import { LRUCache } from "lru-cache";
import { createTransport, type Transport } from "wreq-js";

import { literalAddress } from "./addresses.ts";
import { authenticatesConnection } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import type { Proxy } from "./proxies.ts";
import { browserProfiles } from "./request-headers.ts";
import { openTlsRelay, type TlsRelay } from "./tls-relay.ts";

/** A transport costs 0.4 ms to make and about 12 KB, and holds the warm connections of one host. */
const MAXIMUM_TRANSPORTS = 256;
const IDLE_CONNECTION_MS = 15_000;
const IDLE_CONNECTIONS_PER_HOST = 8;
const CONNECT_TIMEOUT_MS = 15_000;

/** As forgiving as browsers are. Only HTTP/1 is touched, because TLS options would show in the fingerprint. */
const HTTP1_OPTIONS = {
  maxHeaders: 1000,
  ignoreInvalidHeadersInResponses: true,
  allowObsoleteMultilineHeadersInResponses: true,
  allowSpacesAfterHeaderNameInResponses: true,
};

/** Connection pools, each bound to the addresses that were admitted for its host. */
export interface TransportPool {
  /** To be given back once the answer has been read. */
  lend(exchange: Exchange): Promise<LentTransport>;
  close(): Promise<void>;
}

export interface LentTransport {
  readonly transport: Transport;
  giveBack(): void;
}

export function openTransportPool(): TransportPool {
  const relays = new Map<Proxy, Promise<TlsRelay>>();
  const proxyUrl = async (proxy: Proxy) => {
    if (!/^https:/i.test(proxy.url)) return proxy.url;
    const relay = relays.get(proxy) ?? openTlsRelay(proxy);
    relays.set(proxy, relay);
    return (await relay).url;
  };
  const transports = new LRUCache<string, Promise<Transport>>({
    max: MAXIMUM_TRANSPORTS,
    // Requests that are under way keep what they need of a closed transport.
    dispose: (transport) => void transport.then(closeTransport, () => undefined),
  });
  const make = async (exchange: Exchange) =>
    makeTransport(exchange, exchange.proxy && (await proxyUrl(exchange.proxy)));
  const shared = (exchange: Exchange) => {
    const key = keyOf(exchange);
    const existing = transports.get(key);
    if (existing) return existing;
    const made = make(exchange);
    transports.set(key, made);
    made.catch(() => transports.delete(key));
    return made;
  };
  return {
    async lend(exchange) {
      if (!authenticatesConnection(exchange.headers))
        return { transport: await shared(exchange), giveBack: () => undefined };
      // The server takes whatever comes over this connection for this caller's.
      const transport = await make(exchange);
      return { transport, giveBack: () => void closeTransport(transport) };
    },
    async close() {
      const open = [...transports.values()];
      transports.clear();
      await Promise.allSettled(open);
      for (const relay of await Promise.all(relays.values())) relay.close();
    },
  };
}

/** Hosts that are IP literals share a transport: there is nothing to pin. */
function keyOf({ url, addresses, profile, skipTlsVerification, proxy }: Exchange): string {
  const target = proxy?.url ?? (literalAddress(url) ? "" : `${url.hostname}=${addresses.toSorted().join()}`);
  return `${profile} ${skipTlsVerification} ${target}`;
}

/**
 * NOTE: the native client reads HTTP_PROXY, HTTPS_PROXY and ALL_PROXY from the environment when a transport
 * is made, and would send requests there. The program has to clear them at its start; if it does not, the
 * answers are refused, because they come from an address that was not admitted.
 */
async function makeTransport(exchange: Exchange, proxyUrl: string | undefined): Promise<Transport> {
  const { url, addresses, profile, skipTlsVerification } = exchange;
  const { browser, os } = browserProfiles[profile];
  return createTransport({
    browser,
    os,
    emulation: { http1Options: HTTP1_OPTIONS },
    insecure: skipTlsVerification,
    poolIdleTimeout: IDLE_CONNECTION_MS,
    poolMaxIdlePerHost: IDLE_CONNECTIONS_PER_HOST,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(proxyUrl !== undefined && { proxy: proxyUrl }),
    ...(proxyUrl === undefined && !literalAddress(url) && { resolve: { [url.hostname]: [...addresses] } }),
  });
}

async function closeTransport(transport: Transport): Promise<void> {
  await transport.close();
}
