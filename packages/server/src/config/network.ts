import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { z } from "zod";

import { parseEgressRules } from "../net/guard/egress-rules.ts";
import { parseProxies, type Proxy } from "../net/proxies.ts";
import { parseNameServer } from "../net/guard/resolver.ts";
import { checkedBy, list, parsedBy, urlOf } from "./kinds.ts";
import { definePart } from "./part.ts";

/** Access to the web and to the private network. */
export const network = definePart({
  title: "Network",
  settings: z.object({
    EGRESS_ALLOW: list(checkedBy((entry) => parseEgressRules([entry])))
      .default([])
      .describe(
        "private targets that requests can reach; all others are blocked: comma-separated list of `address[:port[-port]]`, CIDR or host name",
      ),
    DNS_SERVERS: list(checkedBy(parseNameServer)).default([]).meta({
      description: "DNS servers for target hosts: comma-separated list of `address[:port]`",
      unset: "those of the system",
    }),
    PROXIES: parsedBy(readProxies)
      .optional()
      .describe(
        "upstream proxies (http, https, socks5): JSON list of `{tier, country, url, username, password, skipTlsVerification, connectTo}`, or the path of such a file; `connectTo` is `address` (the IP address that the guard has checked) or `name` (for trusted proxies that resolve names themselves)",
      ),
    OUTBOUND_PROXY: urlOf("http", "https")
      .optional()
      .describe(
        "proxy (http or https, with CONNECT) of calls to models, search engines, webhooks, mail servers and providers; pages have `PROXIES`. This machine and private addresses are reached without it; name other hosts of your network in `NO_PROXY`",
      ),
    NO_PROXY: list(z.string())
      .default([])
      .describe(
        "hosts that are reached without `OUTBOUND_PROXY`, with their subdomains: comma-separated list; `*` for all",
      ),
    EXTRA_CA_CERTS: parsedBy(readCertificates)
      .optional()
      .describe(
        "path of a PEM file with certificates of authorities that are trusted too: by pages that are fetched over HTTP, models, webhooks, mail, search engines, providers and stores. Pages in browsers have the authorities of the browser. Takes the place of `SSL_CERT_FILE`",
      ),
  }),
  derive: (settings) => ({
    egressAllow: settings.EGRESS_ALLOW,
    /** When empty, the system resolves names. */
    dnsServers: settings.DNS_SERVERS,
    /** Contains credentials. Never log it. */
    proxies: settings.PROXIES ?? [],
    /** The proxy of calls to services. Undefined when there is none. Never log it. */
    outbound:
      settings.OUTBOUND_PROXY === undefined
        ? undefined
        : { url: settings.OUTBOUND_PROXY, direct: settings.NO_PROXY },
    /** Undefined when only the usual authorities are trusted. */
    extraCertificates: settings.EXTRA_CA_CERTS,
  }),
});

/** The setting holds the JSON itself, or the path of a JSON file. */
function readProxies(setting: string): readonly Proxy[] {
  return parseProxies(/^\s*[[{]/.test(setting) ? setting : readProxyFile(setting));
}

function readProxyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    // An invalid path may be a proxy with its password, so it is not quoted.
    throw new Error("must be a JSON list, or the path of a readable file", { cause });
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function readCertificates(path: string) {
  let certificates: readonly string[];
  try {
    certificates = readFileSync(path, "utf8").match(CERTIFICATE) ?? [];
  } catch (cause) {
    throw new Error("must be the path of a readable file", { cause });
  }
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new Error("must be the path of a file with valid certificates (PEM)");
  return { path: resolve(path), certificates };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
