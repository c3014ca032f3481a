import { randomUUID } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

import { lazy } from "@pergamon-dev/kit/lazy";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { dialTarget, type Route } from "./dial.ts";

const CONNECT_LIMIT_MS = 15_000;

/** Route through the relay. Connections always go to these addresses, whatever name is requested. */
type RelayedRoute = Pick<Route, "addresses"> & { readonly proxy: NonNullable<Route["proxy"]> };

/**
 * A SOCKS server on loopback in front of the operator's proxies.
 * NOTE: the primary HTTP client gives proxies names, which they would resolve again, and has one switch for
 * the certificates of target and proxy. With this relay, the proxy gets the checked address, and must prove
 * its identity.
 */
interface ProxyRelay {
  /** @returns the proxy for the client to use. Its URL is secret. */
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
    // Later errors report connections that could not be accepted, for example for want of descriptors.
    server.on("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** Closing one end closes the other. */
function join(client: Socket, upstream: Socket): void {
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.destroy());
  if (client.destroyed) upstream.destroy();
  client.pipe(upstream);
  upstream.pipe(client);
}

const VERSION = 5;
const BY_PASSWORD = 2;
const CONNECT = 1;
/** Address types, with their length in bytes. A name carries its own length. */
const ADDRESS_BYTES = new Map([
  [1, 4],
  [4, 16],
]);
const NAME = 3;
const REPLIES = { connected: 0, failed: 1 } as const;

/** The request of a SOCKS client. Only its port matters, because the target is known before. */
interface SocksRequest {
  readonly username: string;
  readonly port: number;
}

/**
 * The server's side of SOCKS 5 up to the request (RFC 1928), with a name and a password (RFC 1929).
 * @throws Error for an invalid request, and when the client disconnects.
 */
async function readSocksRequest(socket: Socket): Promise<SocksRequest> {
  const read = readerOf(socket);
  const [version = 0, methods = 0] = await read(2);
  const offered = await read(methods);
  if (version !== VERSION || !offered.includes(BY_PASSWORD)) throw new Error("Not SOCKS with a password.");
  socket.write(Buffer.from([VERSION, BY_PASSWORD]));
  const [, usernameBytes = 0] = await read(2);
  const username = (await read(usernameBytes)).toString("utf8");
  const [passwordBytes = 0] = await read(1);
  await read(passwordBytes);
  socket.write(Buffer.from([1, 0]));
  const [, command = 0, , kind = 0] = await read(4);
  if (command !== CONNECT) throw new Error("Only connections are made here.");
  const addressBytes = kind === NAME ? (await read(1))[0] : ADDRESS_BYTES.get(kind);
  await read(addressBytes ?? 0);
  return { username, port: (await read(2)).readUInt16BE() };
}

/** Sends the last message before the connection belongs to the client. A failure also ends the connection. */
function answerSocks(socket: Socket, outcome: keyof typeof REPLIES): void {
  const reply = Buffer.from([VERSION, REPLIES[outcome], 0, 1, 0, 0, 0, 0, 0, 0]);
  if (outcome === "connected") socket.write(reply);
  else socket.end(reply);
}

/** Returns a function that reads an exact number of bytes and leaves the rest in the socket. */
function readerOf(socket: Socket): (bytes: number) => Promise<Buffer> {
  return async (bytes) => {
    if (bytes === 0) return Buffer.alloc(0);
    for (;;) {
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk?.byteLength === bytes) return chunk;
      if (socket.readableEnded || socket.destroyed) throw new Error("The client has left.");
      await untilMore(socket);
    }
  };
}

function untilMore(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      for (const event of ["readable", "end", "close"]) socket.off(event, go);
      resolve();
    };
    for (const event of ["readable", "end", "close"]) socket.on(event, go);
  });
}
