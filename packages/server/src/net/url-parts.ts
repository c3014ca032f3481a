const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http:", 80],
  ["https:", 443],
  ["socks5:", 1080],
  ["socks5h:", 1080],
]);

/** The host as sockets want it: addresses of version 6 without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The port, also where the URL leaves it to its scheme. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (DEFAULT_PORTS.get(protocol) ?? 0) : Number(port);
}
