import { howToOpen } from "../../net/guard/egress-rules.ts";
import type { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Refusal } from "../engine.ts";
import type { Visit } from "../visit.ts";

/** Browsers' codes for network errors (contract, section 4.2). */
const BROWSER_CODES: Partial<Record<NetworkError["kind"], string>> = {
  reset: "ERR_CONNECTION_RESET",
  "empty-response": "ERR_EMPTY_RESPONSE",
  timeout: "ERR_TIMED_OUT",
  "too-many-redirects": "ERR_TOO_MANY_REDIRECTS",
  protocol: "ERR_INVALID_RESPONSE",
  proxy: "ERR_PROXY_CONNECTION_FAILED",
};

/** Error for the caller when the network failed (contract, section 4.2). */
export function refusalOf(failure: NetworkError, visit: Visit): Refusal {
  const browserCode = BROWSER_CODES[failure.kind];
  return { ...(browserCode ? siteError(browserCode) : namedRefusal(failure, visit)), cause: failure };
}

/** Error for a page that could not be loaded, with the browser's code for the reason. */
export function siteError(browserCode: string): Refusal {
  return {
    code: "SCRAPE_SITE_ERROR",
    message: `The URL failed to load in the browser with error code "${browserCode}".`,
  };
}

/** Error for the caller when Chromium could not load the page. */
export function refusalOfCode(browserCode: string, visit: Visit): Refusal {
  if (/^ERR_(?:CERT|SSL|BAD_SSL)_/.test(browserCode))
    return { code: "SCRAPE_SSL_ERROR", message: tlsMessage(visit) };
  return siteError(browserCode);
}

function namedRefusal(failure: NetworkError, visit: Visit): Refusal {
  const host = failure.host ?? new URL(visit.url).hostname;
  switch (failure.kind) {
    case "dns":
      return {
        code: "SCRAPE_DNS_RESOLUTION_ERROR",
        message: `DNS resolution failed for hostname "${host}".`,
      };
    case "tls":
      return { code: "SCRAPE_SSL_ERROR", message: tlsMessage(visit) };
    case "too-large":
      return {
        code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
        message:
          "The URL returned a file type that Pergamon cannot process: File exceeds size limit of 50 MB.",
      };
    case "endless":
      return {
        code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
        message: "The URL returned a file type that Pergamon cannot process: It is a stream that never ends.",
      };
    case "blocked":
      return {
        code: "SCRAPE_ALL_ENGINES_FAILED",
        message: `Connection violated security rules. ${howToOpen(host)}`,
      };
    default:
      return { code: "SCRAPE_ALL_ENGINES_FAILED", message: "The connection was refused." };
  }
}

function tlsMessage({ skipTlsVerification }: Visit): string {
  const advice = skipTlsVerification
    ? "The TLS connection failed for a reason other than the certificate."
    : "Set skipTlsVerification to true to accept the certificate anyway.";
  return `An SSL/TLS certificate error occurred while trying to establish a secure connection to this website. ${advice}`;
}
