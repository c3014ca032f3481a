import type { LookupFunction } from "node:net";

/** Returns a look-up function that knows only these addresses, which the guard has admitted. */
export function pinnedTo(addresses: readonly string[]): LookupFunction {
  const pinned = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all) callback(null, pinned);
    else callback(null, pinned[0]?.address ?? "", pinned[0]?.family);
  };
}
