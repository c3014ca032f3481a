import { networkInterfaces } from "node:os";

import { PartAway } from "../../kit/process/own-failure.ts";
import { NetworkError, type NetworkErrorKind } from "./guard/network-error.ts";

interface FailureRule {
  readonly pattern: RegExp;
  readonly kind: NetworkErrorKind;
  readonly message: string;
}

/**
 * What the HTTP clients report, by text because the primary one gives no codes. The first rule that matches
 * counts: the stage (proxy, TLS) comes before the symptom (refused, reset), and both before broken syntax.
 */
const RULES: readonly FailureRule[] = [
  {
    pattern: /ProxyConnect|proxy connect|tunnel error|SOCKS|proxy response/i,
    kind: "proxy",
    message: "The upstream proxy did not connect.",
  },
  {
    pattern: /CERT|self.signed|\(Connect\).*\[[A-Z][A-Z0-9_]+\]|ERR_TLS|ERR_SSL|EPROTO|ALTNAME|ISSUER/,
    kind: "tls",
    message: "The TLS connection could not be established.",
  },
  { pattern: /dns error|ENOTFOUND|EAI_AGAIN/, kind: "dns", message: "The host name could not be resolved." },
  {
    pattern:
      /refused|ECONNREFUSED|No route to host|unreachable|UNREACH|EADDRNOTAVAIL|assign requested address/,
    kind: "refused",
    message: "The connection was refused.",
  },
  { pattern: /timed out|TIMEDOUT|TIMEOUT/, kind: "timeout", message: "The connection timed out." },
  {
    pattern: /connection closed before message completed/,
    kind: "empty-response",
    message: "The server closed the connection without an answer.",
  },
  {
    pattern: /reset by peer|broken pipe|end of file|unexpected EOF|ECONNRESET|EPIPE|UND_ERR_SOCKET|ABORTED/,
    kind: "reset",
    message: "The server broke the connection off.",
  },
  { pattern: /builder error|ERR_INVALID_URL/, kind: "invalid-url", message: "The URL cannot be requested." },
];

/** The answer has headers that the primary client cannot read, and the fallback client may. */
const UNREADABLE_HEAD = /message head is too large|invalid HTTP header/;

/** The server may have closed a kept connection in the moment it was used again. */
const CLOSED_IN_USE = /\(SendRequest\).*(?:closed before message|reset by peer|broken pipe)/;

/** Any failure of an exchange as a NetworkError. This is the only place that reads texts of HTTP clients. */
export function networkErrorOf(failure: unknown, url: URL): NetworkError {
  if (failure instanceof NetworkError) return failure;
  // The clients quote the URL, which may hold any word.
  const text = textOf(failure).replaceAll(url.href, "");
  const rule = RULES.find(({ pattern }) => pattern.test(text));
  const message = rule?.message ?? "The server's answer breaks the protocol.";
  const cause = NOT_REACHED.test(text) && isOffline(url) ? new PartAway("network", failure) : failure;
  return new NetworkError(rule?.kind ?? "protocol", message, { host: url.hostname, cause });
}

const NOT_REACHED = /unreachable|UNREACH|ENETDOWN|timed out|TIMEDOUT|TIMEOUT/;

/** Whether this machine has no address from which it could reach that host, or any other. */
function isOffline({ hostname }: URL): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return isLoopback ? addresses.length === 0 : addresses.every(({ internal }) => internal);
}

export function hasUnreadableHead(failure: unknown): boolean {
  return UNREADABLE_HEAD.test(textOf(failure));
}

export function wasClosedInUse(failure: unknown): boolean {
  return CLOSED_IN_USE.test(textOf(failure));
}

/** Codes and messages along the causes, because the outermost often only says that something failed. */
function textOf(failure: unknown): string {
  const parts: string[] = [];
  for (let error = failure; error instanceof Error && parts.length < 10; error = error.cause) {
    if ("code" in error) parts.push(String(error.code));
    parts.push(error.message);
  }
  return parts.join(" ");
}
