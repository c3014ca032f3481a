import { randomUUID } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

import { lazy } from "@pergamon-dev/kit/lazy";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { dialTarget, type Route } from "./dial.ts";
import { answerSocks, readSocksRequest } from "./socks-door.ts";

const CONNECT_LIMIT_MS = 15_000;

/** Where connections through the relay go: always to these addresses, for any requested name. */
export type RelayedRoute = Pick<Route, "addresses"> & { readonly proxy: NonNullable<Route["proxy"]> };

/**
 * A SOCKS door on loopback to the operator's proxies.
 * NOTE: the primary HTTP client tells proxies names, which they would resolve once more, and has one switch for the
 * certificates of target and proxy. Behind this door the proxy gets the checked address, and has to prove who it is.
 */
export interface ProxyRelay {
  /** @returns what the client takes for its proxy. The URL is secret. */
  open(route: RelayedRoute): Promise<RelayedWay>;
  close(): void;
}

export interface RelayedWay {
  readonly url: string;
  close(): void;
}

export function openProxyRelay(): ProxyRelay {
  const routes = new Map<string, RelayedRoute>();
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  const watch = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const serve = async (client: Socket) => {
    const limit = AbortSignal.any([closing.signal, AbortSignal.timeout(CONNECT_LIMIT_MS)]);
    const { username, port } = await untilAborted(readSocksRequest(client), limit);
    const route = routes.get(username);
    if (!route) throw new Error("Unknown name.");
    const target = new URL(`http://target.invalid:${port}`);
    const upstream = watch(await dialTarget({ ...route, target }, limit));
    answerSocks(client, "connected");
    join(client, upstream);
  };
  const server = createServer((client) => {
    watch(client);
    serve(client).catch(() => answerSocks(client, "failed"));
  });
  const listening = lazy(() => listen(server));
  return {
    async open(route) {
      const port = await listening();
      const username = randomUUID();
      routes.set(username, route);
      return {
        url: `socks5h://${username}:relay@127.0.0.1:${port}`,
        close: () => void routes.delete(username),
      };
    },
    close() {
      closing.abort(new Error("The client was closed."));
      routes.clear();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    // Later it tells of connections that could not be taken, for want of descriptors, say.
    server.on("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** Each end that closes takes the other with it. */
function join(client: Socket, upstream: Socket): void {
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.destroy());
  if (client.destroyed) upstream.destroy();
  client.pipe(upstream);
  upstream.pipe(client);
}
