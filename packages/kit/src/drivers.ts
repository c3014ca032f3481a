/** URL scheme, with its colon → what opens the store or service behind such a URL. */
export type Drivers<Open> = ReadonlyMap<string, Open>;

/**
 * The driver for the scheme of a URL.
 * @param kind what is opened, for the message: `blob`, say.
 * @throws Error that names the known schemes, for any other. The rest of the URL may hold a password and is not named.
 */
export function driverFor<Open>(drivers: Drivers<Open>, url: string, kind: string): Open {
  const scheme = /^[^:/?#]*:?/.exec(url)?.[0] ?? "";
  const open = drivers.get(scheme);
  if (open) return open;
  throw new Error(`No ${kind} driver for "${scheme}". Known: ${[...drivers.keys()].join(", ")}`);
}
