import { createRequire } from "node:module";

import type * as Tldts from "tldts";

import { lazy } from "@pergamon-dev/kit/lazy";
import { bareHost, canonicalPath } from "./identity.ts";

/** The list of public suffixes takes a twentieth of a start, and only crawls and maps need it. */
const suffixes = lazy(() => createRequire(import.meta.url)("tldts") as typeof Tldts);

/** Start of a crawl, which defines its site. */
export interface Site {
  /** Whether the host is the start's. `www.` makes no difference, a port does. */
  isHost(url: URL): boolean;
  /** Whether the host is below the start's registrable domain, on its port. */
  isDomain(url: URL): boolean;
  /**
   * Whether the path is the start's or below it, by whole segments. A start that is a file stands for its
   * folder.
   */
  isBelow(url: URL): boolean;
}

export function siteOf(start: URL): Site {
  const host = bareHost(start.host);
  const domain = lazy(() => registrableDomain(start));
  const base = folderOf(start);
  return {
    isHost: (url) => bareHost(url.host) === host,
    isDomain: (url) =>
      bareHost(url.host) === host ||
      (url.port === start.port && domain() !== undefined && registrableDomain(url) === domain()),
    isBelow(url) {
      const path = canonicalPath(url.pathname);
      return path === base || path.startsWith(`${base}/`);
    },
  };
}

/** Undefined for IP addresses, and for names without a parent domain, such as `localhost`. */
function registrableDomain({ hostname }: URL): string | undefined {
  return suffixes().getDomain(hostname, { allowPrivateDomains: true, extractHostname: false }) ?? undefined;
}

/** Path without a final slash, so that the folder of the whole site is empty. */
function folderOf({ pathname }: URL): string {
  const path = canonicalPath(pathname);
  const last = path.slice(path.lastIndexOf("/") + 1);
  return (last.includes(".") ? path.slice(0, path.lastIndexOf("/")) : path).replace(/\/$/, "");
}
