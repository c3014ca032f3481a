import { isIPv6 } from "node:net";

import { isGlobalAddress, literalAddress } from "./addresses.ts";
import type { EgressRules } from "./egress-rules.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Resolver } from "./resolver.ts";

/** The checked addresses of a target. Callers connect to these and never resolve the name again. */
interface AdmittedTarget {
  /** The first of `addresses`. */
  readonly address: string;
  readonly family: 4 | 6;
  /** Every one of them was judged. */
  readonly addresses: string[];
}

/** Decides which targets may be contacted. No connection goes to a target that it did not admit. */
export interface Guard {
  /**
   * Resolves the host once and judges every address, so one bad record refuses the target.
   * @throws NetworkError of kind `blocked`, `dns` or `protocol`; the signal's reason once it is aborted.
   */
  admit(url: URL, signal: AbortSignal): Promise<AdmittedTarget>;
}

interface GuardOptions {
  readonly rules: EgressRules;
  readonly resolver: Resolver;
}

export function openGuard({ rules, resolver }: GuardOptions): Guard {
  return {
    async admit(url, signal) {
      const port = portOf(url);
      const literal = literalAddress(url);
      const host = literal ?? url.hostname;
      const addresses = literal === undefined ? await resolver.resolve(host, signal) : [literal];
      const isOpen = (address: string) => isGlobalAddress(address) || rules.allows(host, address, port);
      const [address] = addresses;
      if (address === undefined || !addresses.every(isOpen)) {
        throw new NetworkError("blocked", "Connection violated security rules.", { host: url.hostname });
      }
      return { address, family: isIPv6(address) ? 6 : 4, addresses };
    },
  };
}

/** @throws NetworkError of kind `protocol` for schemes other than http and https. */
function portOf(url: URL): number {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new NetworkError("protocol", `The scheme ${url.protocol} cannot be fetched.`);
  }
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}
