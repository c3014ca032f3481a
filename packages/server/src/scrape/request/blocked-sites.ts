import { ServiceError } from "../../api/errors.ts";
import { latest } from "@pergamon-dev/kit/latest";
import { canonicalHost, HostList } from "../../net/guard/host-list.ts";
import { targetUrl } from "./target-url.ts";

/** Sites that the operator has blocked. */
export interface BlockedSites {
  readonly isEmpty: boolean;
  /** Checks only the `url` of a body that is not validated yet. @throws ServiceError UNSUPPORTED_SITE. */
  refuseBody(body: object): void;
  has(url: string): boolean;
  /** @throws ServiceError UNSUPPORTED_SITE when the URL is on a blocked site. */
  refuse(url: string): void;
}

/** @param domains returns the current domains. The operator may change them. */
export function openChangingBlockedSites(domains: () => readonly string[]): BlockedSites {
  const current = latest(domains, openBlockedSites);
  return {
    get isEmpty() {
      return current().isEmpty;
    },
    has: (url) => current().has(url),
    refuse: (url) => current().refuse(url),
    refuseBody: (body) => current().refuseBody(body),
  };
}

/** @param domains each one includes its subdomains. */
export function openBlockedSites(domains: readonly string[]): BlockedSites {
  const list = new HostList(domains.flatMap((domain) => [domain, `*.${domain}`]));

  const has = (url: string) => !list.isEmpty && list.has(canonicalHost(new URL(url)));

  function refuse(url: string): void {
    if (has(url)) throw new ServiceError("UNSUPPORTED_SITE");
  }

  return {
    isEmpty: list.isEmpty,
    has,
    refuse,
    refuseBody(body) {
      const text = list.isEmpty || !("url" in body) ? undefined : body.url;
      const target = typeof text === "string" ? targetUrl(text, () => true) : undefined;
      if (target && "url" in target) refuse(target.url);
    },
  };
}
