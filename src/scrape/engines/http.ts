import { STATUS_CODES } from "node:http";

import type { HttpClient, HttpResponse } from "../../platform/net/client.ts";
import { type Navigation, navigate } from "../../platform/net/navigate.ts";
import { NetworkError } from "../../platform/net/network-error.ts";
import { chooseProxy, type Proxy } from "../../platform/net/proxies.ts";
import type { Capture } from "../capture.ts";
import { acceptLanguage } from "../countries.ts";
import { type Engine, isRefusal, type Refusal } from "../engine.ts";
import type { Visit } from "../visit.ts";

/** Answers that a stronger disguise may turn into the page (contract, section 3.21). */
const ESCALATES = new Set([401, 403, 429]);

type Tier = "basic" | "enhanced";

/** Gets pages by plain HTTP, without running their scripts. */
export function httpEngine(client: HttpClient, proxies: readonly Proxy[]): Engine {
  async function visitOnce(visit: Visit, tier: Tier, signal: AbortSignal): Promise<Capture | Refusal> {
    const proxy = chooseProxy(proxies, tier, visit.proxyCountry);
    if (proxy === "none-for-country") return noProxy(visit.proxyCountry ?? visit.country);
    try {
      const { url, response } = await navigate(client, navigationOf(visit, tier, proxy), signal);
      return captureOf({ visit, tier, url, response });
    } catch (failure) {
      signal.throwIfAborted();
      if (failure instanceof NetworkError) return refusalOf(failure, visit);
      throw failure;
    }
  }

  return {
    name: "http",
    cost: 1,
    async capture(visit, signal) {
      const first = await visitOnce(visit, visit.proxy === "enhanced" ? "enhanced" : "basic", signal);
      const isBlocked = !isRefusal(first) && ESCALATES.has(first.statusCode);
      if (visit.proxy !== "auto" || !isBlocked) return first;
      const second = await visitOnce(visit, "enhanced", signal);
      return isRefusal(second) ? first : second;
    },
  };
}

function navigationOf(visit: Visit, profile: Tier, proxy: Proxy | undefined): Navigation {
  return {
    url: visit.url,
    headers: visit.headers,
    acceptLanguage: acceptLanguage(visit.country, visit.languages),
    skipTlsVerification: visit.skipTlsVerification,
    profile,
    ...(proxy && { proxy }),
    maxBodyBytes: visit.maxBodyBytes,
  };
}

interface Answer {
  readonly visit: Visit;
  readonly tier: Tier;
  readonly url: string;
  readonly response: HttpResponse;
}

function captureOf({ visit, tier, url, response }: Answer): Capture {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) {
    const key = name.toLowerCase();
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return {
    requestedUrl: visit.url,
    url,
    statusCode: response.status,
    reason: STATUS_CODES[response.status] ?? response.reason,
    headers,
    contentType: headers["content-type"],
    body: response.body,
    engine: "http",
    proxyUsed: tier === "enhanced" ? "stealth" : "basic",
    capturedAtMs: Date.now(),
  };
}

function noProxy(country: string): Refusal {
  return {
    code: "SCRAPE_PROXY_SELECTION_ERROR",
    message: `The specified proxy location could not be selected: no proxy for ${country} is configured.`,
  };
}

/** Codes by which browsers name what went wrong (contract, section 4.2). */
const BROWSER_CODES: Partial<Record<NetworkError["kind"], string>> = {
  reset: "ERR_CONNECTION_RESET",
  "empty-response": "ERR_EMPTY_RESPONSE",
  timeout: "ERR_TIMED_OUT",
  "too-many-redirects": "ERR_TOO_MANY_REDIRECTS",
  protocol: "ERR_INVALID_RESPONSE",
  proxy: "ERR_PROXY_CONNECTION_FAILED",
};

function refusalOf(failure: NetworkError, visit: Visit): Refusal {
  const browserCode = BROWSER_CODES[failure.kind];
  if (browserCode) {
    return {
      code: "SCRAPE_SITE_ERROR",
      message: `The URL failed to load in the browser with error code "${browserCode}".`,
      cause: failure,
    };
  }
  return { ...namedRefusal(failure, visit), cause: failure };
}

function namedRefusal(failure: NetworkError, visit: Visit): Refusal {
  switch (failure.kind) {
    case "dns": {
      const host = failure.host ?? new URL(visit.url).hostname;
      return {
        code: "SCRAPE_DNS_RESOLUTION_ERROR",
        message: `DNS resolution failed for hostname "${host}".`,
      };
    }
    case "tls":
      return { code: "SCRAPE_SSL_ERROR", message: tlsMessage(visit) };
    case "too-large":
      return {
        code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
        message:
          "The URL returned a file type that Pergamon cannot process: File exceeds size limit of 50 MB.",
      };
    case "blocked":
      return { code: "SCRAPE_ALL_ENGINES_FAILED", message: allFailed("Connection violated security rules.") };
    default:
      return { code: "SCRAPE_ALL_ENGINES_FAILED", message: allFailed("The connection was refused.") };
  }
}

function tlsMessage({ skipTlsVerification }: Visit): string {
  const advice = skipTlsVerification
    ? "The server's TLS is broken beyond its certificate."
    : "Set skipTlsVerification to true to accept the certificate anyway.";
  return `An SSL/TLS certificate error occurred while trying to establish a secure connection to this website. ${advice}`;
}

function allFailed(why: string): string {
  return `All scraping engines failed to retrieve content from this URL. Engines tried: [http]. ${why}`;
}
