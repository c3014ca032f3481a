import type { Config } from "../config/config.ts";
import { isLoopback } from "@pergamon-dev/kit/loopback";

type Exposed = Pick<Config, "server" | "accounts">;

/** Warnings for the operator about who can reach the service, and by which name. One sentence each. */
export function exposureWarnings({ server, accounts }: Exposed, address: string): readonly string[] {
  const { host, publicUrl } = server;
  if (accounts.auth === "open" && !isLoopback(host)) {
    return [
      `Everyone who can reach ${address} can use this service and read its history: AUTH=open requires no key, and HOST=${host} accepts connections from other machines. Unless you intend this, set AUTH=keys.`,
    ];
  }
  if (accounts.auth === "open" && publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) {
    return [
      `Everyone who can reach ${publicUrl} can use this service and read its history: AUTH=open, the default where HOST is a loopback address, requires no key. Unless a proxy requires one, set AUTH=keys.`,
    ];
  }
  if (accounts.auth === "keys" && publicUrl === undefined) {
    return [
      "Links in answers begin with the Host header that the client sent. Set PUBLIC_URL to the address that clients use.",
    ];
  }
  return [];
}
