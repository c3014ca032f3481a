import type { Socket } from "node:net";

const VERSION = 5;
const BY_PASSWORD = 2;
const CONNECT = 1;
/** Kinds of addresses, and how many bytes each has. A name says its length itself. */
const ADDRESS_BYTES = new Map([
  [1, 4],
  [4, 16],
]);
const NAME = 3;
const REPLIES = { connected: 0, failed: 1 } as const;

/** The request of a SOCKS client. Only its port matters: the target is known before. */
export interface SocksRequest {
  readonly username: string;
  readonly port: number;
}

/**
 * The server's side of SOCKS 5 up to the request (RFC 1928), with a name and a password (RFC 1929).
 * @throws Error for an invalid request, and when the client disconnects.
 */
export async function readSocksRequest(socket: Socket): Promise<SocksRequest> {
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

/** The last word before the connection is the client's. A failure also ends it. */
export function answerSocks(socket: Socket, outcome: keyof typeof REPLIES): void {
  const reply = Buffer.from([VERSION, REPLIES[outcome], 0, 1, 0, 0, 0, 0, 0, 0]);
  if (outcome === "connected") socket.write(reply);
  else socket.end(reply);
}

/** Reads exactly so many bytes; what comes after them stays in the socket. */
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
