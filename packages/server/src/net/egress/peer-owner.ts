import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** The kernel's table of IPv4 connections (Linux, proc(5)): one line each, with the user who opened the socket. */
const TABLE = "/proc/net/tcp";
const LOCAL_COLUMN = 1;
const REMOTE_COLUMN = 2;
const USER_COLUMN = 7;

/**
 * Which user of this machine opened the other end of a connection.
 *
 * @returns the user's number; undefined where the system does not tell: no Linux, IPv6, or another machine
 */
export async function ownerOfPeer(socket: Socket): Promise<number | undefined> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  const peer = inTable(remoteAddress, remotePort);
  const here = inTable(localAddress, localPort);
  if (!peer || !here) return undefined;
  const table = await readFile(TABLE, "latin1").catch(() => "");
  for (const line of table.split("\n")) {
    if (!line.includes(peer)) continue;
    const columns = line.trim().split(/\s+/);
    if (columns[LOCAL_COLUMN] === peer && columns[REMOTE_COLUMN] === here)
      return Number(columns[USER_COLUMN]);
  }
  return undefined;
}

/** As the table writes addresses: the bytes of the address from the last to the first, and the port. */
function inTable(address: string | undefined, port: number | undefined): string | undefined {
  const bytes = address?.split(".").map(Number);
  if (bytes?.length !== 4 || bytes.some((byte) => !Number.isInteger(byte)) || port === undefined)
    return undefined;
  return `${bytes.toReversed().map(asHex(2)).join("")}:${asHex(4)(port)}`;
}

function asHex(digits: number): (value: number) => string {
  return (value) => value.toString(16).toUpperCase().padStart(digits, "0");
}
