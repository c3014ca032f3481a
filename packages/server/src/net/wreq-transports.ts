import { type AddressInfo, createServer, type Socket } from "node:net";
import { LRUCache } from "lru-cache";
import type { CreateTransportOptions, CustomHttp2Options, Transport } from "wreq-js";

import { literalAddress } from "./guard/addresses.ts";
import { authenticatesConnection } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import type { NativeClient } from "./native-client.ts";
import { isGivenNames, type Proxy } from "./proxies.ts";
import { openProxyRelay, type RelayedWay } from "./proxy-relay.ts";
import { browserProfiles } from "./request-headers.ts";
import { connectToProxy } from "./connect-to-proxy.ts";

/** A transport takes 0.4 ms to create and about 12 KB, and holds the warm connections of one host. */
const MAX_TRANSPORTS = 256;
const IDLE_CONNECTION_MS = 15_000;
const IDLE_CONNECTIONS_PER_HOST = 8;
const CONNECT_TIMEOUT_MS = 15_000;

/** As lenient as browsers. Only HTTP/1 is changed, because TLS options would show in the fingerprint. */
const HTTP1_OPTIONS = {
  maxHeaders: 1000,
  ignoreInvalidHeadersInResponses: true,
  allowObsoleteMultilineHeadersInResponses: true,
  allowSpacesAfterHeaderNameInResponses: true,
};

/** HTTP/2 of Chrome. The client's profile differs only in the weight of requests; without the rest it would be no profile. */
const HTTP2_OPTIONS: CustomHttp2Options = {
  headerTableSize: 65_536,
  enablePush: false,
  initialWindowSize: 6_291_456,
  maxHeaderListSize: 262_144,
  initialConnectionWindowSize: 15_728_640,
  headersPseudoOrder: ["Method", "Authority", "Scheme", "Path"],
  settingsOrder: ["HeaderTableSize", "EnablePush", "InitialWindowSize", "MaxHeaderListSize"],
  headersStreamDependency: { dependencyId: 0, weight: 255, exclusive: true },
};

/** Connection pools, each bound to the admitted addresses of its host. */
interface TransportPool {
  /** Return the transport once the response has been read. */
  lend(exchange: Exchange): Promise<RemoteTransport>;
  close(): Promise<void>;
}

interface RemoteTransport {
  readonly transport: Transport;
  giveBack(): void;
}

export function openTransportPool({ createTransport }: Pick<NativeClient, "createTransport">): TransportPool {
  const ways = openWays();
  const transports = new LRUCache<string, Promise<OpenTransport>>({
    max: MAX_TRANSPORTS,
    // Running requests keep the parts of a closed transport that they need.
    dispose: (transport) => void transport.then(closeTransport, () => undefined),
  });
  const make = async (exchange: Exchange): Promise<OpenTransport> => {
    const way = await ways.open(exchange);
    return { transport: await createTransport(optionsOf(exchange, way?.url)), way };
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

/** A transport, with its relay unless it connects directly. */
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

/** Hosts without pinned addresses share a transport: IP literals, and names for a proxy that needs them. */
function keyOf({ url, addresses, profile, skipTlsVerification, proxy }: Exchange): string {
  const isPinned = proxy ? !isGivenNames(proxy) : literalAddress(url) === undefined;
  const target = isPinned ? `${url.hostname}=${addresses.toSorted().join()}` : "";
  return `${profile} ${skipTlsVerification} ${proxy?.url ?? ""} ${target}`;
}

/**
 * NOTE: the native client reads HTTP_PROXY, HTTPS_PROXY and ALL_PROXY from the environment when a transport
 * is created, and would send requests there. The program must clear them at startup. If it does not,
 * responses are refused, because they come from an address that was not admitted.
 */
function optionsOf(exchange: Exchange, proxyUrl: string | undefined): CreateTransportOptions {
  const { url, addresses, profile, skipTlsVerification } = exchange;
  const { browser, os } = browserProfiles[profile];
  return {
    browser,
    os,
    emulation: { http1Options: HTTP1_OPTIONS, http2Options: HTTP2_OPTIONS },
    insecure: skipTlsVerification,
    poolIdleTimeout: IDLE_CONNECTION_MS,
    poolMaxIdlePerHost: IDLE_CONNECTIONS_PER_HOST,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(proxyUrl !== undefined && { proxy: proxyUrl }),
    ...(proxyUrl === undefined && !literalAddress(url) && { resolve: { [url.hostname]: [...addresses] } }),
  };
}

async function closeTransport({ transport, way }: OpenTransport): Promise<void> {
  way?.close();
  await transport.close();
}

/**
 * Refusals that proxies send to unknown clients. They are reported as a failure of the proxy, not as a page.
 */
const REFUSAL =
  "HTTP/1.1 407 Proxy Authentication Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const CONNECT_LIMIT_MS = 15_000;

/**
 * A plain http proxy on loopback in front of one https proxy, for a client that cannot use TLS to proxies.
 */
interface TlsRelay {
  /** URL of an http proxy, with the credentials of the https one. */
  readonly url: string;
  close(): void;
}

/**
 * Opens a relay that wraps its input in TLS and passes it on to the proxy.
 * NOTE: the primary HTTP client has one switch for the certificates of target and proxy. Callers may skip
 * verification of the target; the operator's password must not go to a server that poses as the proxy because
 * of that.
 */
async function openTlsRelay(proxy: Proxy): Promise<TlsRelay> {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  const watch = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    watch(client);
    const limit = AbortSignal.any([closing.signal, AbortSignal.timeout(CONNECT_LIMIT_MS)]);
    connectToProxy(proxy, limit).then(
      (upstream) => join(client, watch(upstream)),
      () => client.end(REFUSAL),
    );
  });
  await new Promise<void>((resolve, reject) => {
    // Later errors report connections that could not be accepted, for example for want of descriptors.
    server.on("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const url = new URL(proxy.url.replace(/^https:/i, "http:"));
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close() {
      closing.abort();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Closing one end closes the other. */
function join(client: Socket, upstream: Socket): void {
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.destroy());
  if (client.destroyed) upstream.destroy();
  client.pipe(upstream);
  upstream.pipe(client);
}
