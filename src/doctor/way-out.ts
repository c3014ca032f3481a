import { createSocket, type SocketType } from "node:dgram";

import type { Finding } from "./finding.ts";

/** Addresses for documentation (RFC 5737 and 3849), in the range of public addresses. */
const ELSEWHERE = { udp4: "203.0.113.1", udp6: "2001:db8::1" } as const;
const ANY_PORT = 443;

/**
 * Whether this machine knows a way to addresses outside. Nothing is sent: the system only chooses the way.
 * @param isIntranet whether targets of the own network are all that may be wanted.
 */
export async function checkWayOut(isIntranet: boolean): Promise<Finding> {
  const [v4, v6] = await Promise.all([addressTowards("udp4"), addressTowards("udp6")]);
  const ways = [...(v4 ? [`IPv4 from ${v4}`] : []), ...(v6 ? [`IPv6 from ${v6}`] : [])];
  if (ways.length > 0) {
    return {
      status: "found",
      detail: `${ways.join(", ")}. Use --reach to test a connection`,
    };
  }
  return {
    status: isIntranet ? "missing" : "problem",
    detail: "no route to other networks",
    cost: "Only targets in the local network can be reached.",
    remedy: "Connect this machine to the internet, or set PROXIES to a reachable proxy.",
  };
}

/** The own address that packets would leave from; undefined without a route. */
function addressTowards(family: SocketType & keyof typeof ELSEWHERE): Promise<string | undefined> {
  const socket = createSocket(family);
  return new Promise((resolve) => {
    const end = (address: string | undefined) => {
      socket.close();
      resolve(address);
    };
    socket.once("error", () => end(undefined));
    socket.once("connect", () => end(socket.address().address));
    socket.connect(ANY_PORT, ELSEWHERE[family]);
  });
}
