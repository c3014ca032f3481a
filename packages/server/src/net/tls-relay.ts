import { type AddressInfo, createServer, type Socket } from "node:net";

import { connectToProxy } from "./connect-to-proxy.ts";
import type { Proxy } from "./proxies.ts";

/** What proxies answer to unknown clients. It is reported as a failure of the proxy, not as a page. */
const REFUSAL =
  "HTTP/1.1 407 Proxy Authentication Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const CONNECT_LIMIT_MS = 15_000;

/** A door on loopback to one https proxy, for a client that speaks plainly to proxies. */
export interface TlsRelay {
  /** URL of an http proxy, with the credentials of the https one. */
  readonly url: string;
  close(): void;
}

/**
 * Opens a relay that wraps what it is sent in TLS and passes it on to the proxy.
 * NOTE: the primary HTTP client has one switch for the certificates of target and proxy. Callers may do without the
 * target's; because of that, the operator's password must not go to a server that poses as the proxy.
 */
export async function openTlsRelay(proxy: Proxy): Promise<TlsRelay> {
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
    // Later it tells of connections that could not be taken, for want of descriptors, say.
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

/** Each end that closes takes the other with it. */
function join(client: Socket, upstream: Socket): void {
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.destroy());
  if (client.destroyed) upstream.destroy();
  client.pipe(upstream);
  upstream.pipe(client);
}
