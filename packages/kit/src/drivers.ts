/** URL scheme with its colon → function that opens the store or service of such a URL. */
export type Drivers<Open> = ReadonlyMap<string, Open>;

/**
 * Returns the driver for the scheme of a URL.
 * @param kind kind of the opened object for the message, such as `blob`.
 * @throws Error that names the known schemes, for any other scheme. It does not quote the rest of the URL,
 * which may hold a password.
 */
export function driverFor<Open>(drivers: Drivers<Open>, url: string, kind: string): Open {
  const scheme = /^[^:/?#]*:?/.exec(url)?.[0] ?? "";
  const open = drivers.get(scheme);
  if (open) return open;
  throw new Error(`No ${kind} driver for "${scheme}". Known: ${[...drivers.keys()].join(", ")}`);
}
