const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http:", 80],
  ["https:", 443],
  ["socks5:", 1080],
  ["socks5h:", 1080],
]);

/** Returns the host as sockets expect it: IPv6 addresses without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Returns the port, or the default port of the scheme. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (DEFAULT_PORTS.get(protocol) ?? 0) : Number(port);
}
