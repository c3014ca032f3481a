import type { Socket } from "node:net";

interface SocksTarget {
  readonly host: string;
  readonly port: number;
}

const VERSION = 5;
const BY_PASSWORD = 2;
const CONNECT = 1;
const NAME = 3;
const IPV4 = 1;

/**
 * The server's side of SOCKS 5 (RFC 1928) with a user name and password (RFC 1929). Once it returns, the connection
 * carries the client's bytes to the target and back.
 * @throws Error for anybody else, and for what is no SOCKS.
 */
export async function acceptSocks(
  socket: Socket,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<SocksTarget> {
  const read = reader(socket);
  const [version = 0, methods = 0] = await read(2);
  const offered = await read(methods);
  if (version !== VERSION || !offered.includes(BY_PASSWORD)) throw new Error("Not SOCKS with a password.");
  socket.write(Buffer.from([VERSION, BY_PASSWORD]));
  const given = [await text(read, 1), await text(read, 0)];
  const isKnown = given[0] === username && given[1] === password;
  socket.write(Buffer.from([1, isKnown ? 0 : 1]));
  if (!isKnown) throw new Error("The password is wrong.");
  const [, command, , kind] = await read(4);
  if (command !== CONNECT || (kind !== NAME && kind !== IPV4))
    throw new Error("Only connections are made here.");
  const host = kind === NAME ? await text(read, 0) : [...(await read(4))].join(".");
  const port = (await read(2)).readUInt16BE();
  socket.write(Buffer.from([VERSION, 0, 0, IPV4, 0, 0, 0, 0, 0, 0]));
  return { host, port };
}

type Read = (bytes: number) => Promise<Buffer>;

/** A length and as many characters, after some bytes that do not matter. */
async function text(read: Read, skipped: number): Promise<string> {
  const head = await read(skipped + 1);
  return (await read(head[skipped] ?? 0)).toString("utf8");
}

/** Reads exactly so many bytes; what comes after them stays in the socket. */
function reader(socket: Socket): Read {
  return async (bytes) => {
    for (;;) {
      if (bytes === 0) return Buffer.alloc(0);
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk?.byteLength === bytes) return chunk;
      await new Promise<void>((resolve, reject) => {
        socket.once("readable", resolve);
        socket.once("close", () => reject(new Error("The connection was closed.")));
      });
    }
  };
}
