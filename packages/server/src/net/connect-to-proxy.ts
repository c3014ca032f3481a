import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Proxy } from "./proxies.ts";
import { hostOf, portOf } from "./url-parts.ts";

/**
 * Connects to the operator's http or https proxy. The proxy's certificate is verified unless the operator
 * says otherwise, whatever callers want for the certificates of their targets.
 * @throws NetworkError of kind `proxy`; the signal's reason once it is aborted.
 */
export async function connectToProxy(proxy: Proxy, signal: AbortSignal): Promise<Socket> {
  const url = new URL(proxy.url);
  const host = hostOf(url);
  const address = { host, port: portOf(url) };
  const isSecure = url.protocol === "https:";
  const servername = isIP(host) === 0 && { servername: host };
  const socket = isSecure
    ? connectTls({ ...address, ...servername, rejectUnauthorized: proxy.skipTlsVerification !== true })
    : connectTcp(address);
  const connected = new Promise<void>((resolve, reject) => {
    socket.once(isSecure ? "secureConnect" : "connect", resolve);
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("The proxy closed the connection.")));
  });
  try {
    await untilAborted(connected, signal);
    return socket;
  } catch (cause) {
    connected.catch(() => undefined);
    socket.destroy();
    signal.throwIfAborted();
    throw new NetworkError("proxy", "The upstream proxy did not connect.", { cause });
  }
}
