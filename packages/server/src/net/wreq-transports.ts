import { LRUCache } from "lru-cache";
import { createTransport, type Transport } from "wreq-js";

import { literalAddress } from "./guard/addresses.ts";
import { authenticatesConnection } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { isGivenNames, type Proxy } from "./proxies.ts";
import { openProxyRelay, type RelayedWay } from "./proxy-relay.ts";
import { browserProfiles } from "./request-headers.ts";
import { openTlsRelay, type TlsRelay } from "./tls-relay.ts";

/** A transport costs 0.4 ms to make and about 12 KB, and holds the warm connections of one host. */
const MAX_TRANSPORTS = 256;
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
  /** To be returned once the answer has been read. */
  lend(exchange: Exchange): Promise<LentTransport>;
  close(): Promise<void>;
}

export interface LentTransport {
  readonly transport: Transport;
  giveBack(): void;
}

export function openTransportPool(): TransportPool {
  const ways = openWays();
  const transports = new LRUCache<string, Promise<OpenTransport>>({
    max: MAX_TRANSPORTS,
    // Requests that are under way keep what they need of a closed transport.
    dispose: (transport) => void transport.then(closeTransport, () => undefined),
  });
  const make = async (exchange: Exchange): Promise<OpenTransport> => {
    const way = await ways.open(exchange);
    return { transport: await makeTransport(exchange, way?.url), way };
  };
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
        return { transport: (await shared(exchange)).transport, giveBack: () => undefined };
      // The server attributes everything on this connection to this caller.
      const own = await make(exchange);
      return { transport: own.transport, giveBack: () => void closeTransport(own) };
    },
    async close() {
      const open = [...transports.values()];
      transports.clear();
      await Promise.allSettled(open);
      await ways.close();
    },
  };
}

/** A transport, and its way out unless that is a direct one. */
interface OpenTransport {
  readonly transport: Transport;
  readonly way: RelayedWay | undefined;
}

/** The client's options for the operator's proxies. */
function openWays() {
  const relay = openProxyRelay();
  const tlsRelays = new Map<Proxy, Promise<TlsRelay>>();
  return {
    async open({ proxy, addresses }: Exchange): Promise<RelayedWay | undefined> {
      if (!proxy) return undefined;
      if (!isGivenNames(proxy)) return relay.open({ proxy, addresses });
      // NOTE: to the client, socks5 means that it resolves the name itself.
      const url = proxy.url.replace(/^socks5:/i, "socks5h:");
      if (!/^https:/i.test(url)) return { url, close: () => undefined };
      const tlsRelay = tlsRelays.get(proxy) ?? openTlsRelay(proxy);
      tlsRelays.set(proxy, tlsRelay);
      return { url: (await tlsRelay).url, close: () => undefined };
    },
    async close() {
      relay.close();
      for (const tlsRelay of await Promise.all(tlsRelays.values())) tlsRelay.close();
    },
  };
}

/** Where nothing is to be pinned, hosts share a transport: IP literals, and names that a proxy wants. */
function keyOf({ url, addresses, profile, skipTlsVerification, proxy }: Exchange): string {
  const isPinned = proxy ? !isGivenNames(proxy) : literalAddress(url) === undefined;
  const target = isPinned ? `${url.hostname}=${addresses.toSorted().join()}` : "";
  return `${profile} ${skipTlsVerification} ${proxy?.url ?? ""} ${target}`;
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

async function closeTransport({ transport, way }: OpenTransport): Promise<void> {
  way?.close();
  await transport.close();
}
