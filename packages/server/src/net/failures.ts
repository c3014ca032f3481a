import { NetworkError, type NetworkErrorKind } from "@pergamon-dev/kit/network-error";

/**
 * Errors of the HTTP clients, matched by text because the primary one gives no codes. The first matching rule
 * wins: the stage (proxy, TLS) comes before the symptom (refused, reset), and both before broken syntax.
 */
const RULES: readonly (readonly [pattern: RegExp, kind: NetworkErrorKind, message: string])[] = [
  [
    /ProxyConnect|proxy connect|tunnel error|SOCKS|proxy response/i,
    "proxy",
    "The upstream proxy did not connect.",
  ],
  [
    /CERT|self.signed|\(Connect\).*\[[A-Z][A-Z0-9_]+\]|ERR_TLS|ERR_SSL|EPROTO|ALTNAME|ISSUER/,
    "tls",
    "The TLS connection could not be established.",
  ],
  [/dns error|ENOTFOUND|EAI_AGAIN/, "dns", "The host name could not be resolved."],
  [/No route to host|unreachable|UNREACH|ENETDOWN/, "unreachable", "The connection was refused."],
  [/refused|EADDRNOTAVAIL|assign requested address/i, "refused", "The connection was refused."],
  [/timed ?out|timeout/i, "timeout", "The connection timed out."],
  [
    /connection closed before message completed/,
    "empty-response",
    "The server closed the connection without an answer.",
  ],
  [
    /reset by peer|broken pipe|end of file|unexpected EOF|ECONNRESET|EPIPE|UND_ERR_SOCKET|ABORTED/,
    "reset",
    "The server broke the connection off.",
  ],
  [/builder error|ERR_INVALID_URL/, "invalid-url", "The URL cannot be requested."],
];

/** The primary client cannot read the response's headers, but the fallback client may. */
const UNREADABLE_HEAD = /message head is too large|invalid HTTP header/;

/** The server may have closed a kept connection at the moment of its reuse. */
const CLOSED_IN_USE = /\(SendRequest\).*(?:closed before message|reset by peer|broken pipe)/;

/**
 * Turns any failure of an exchange into a NetworkError. No other code reads the error texts of HTTP clients.
 */
export function networkErrorOf(failure: unknown, url: URL): NetworkError {
  if (failure instanceof NetworkError) return failure;
  // The clients quote the URL, which may contain any word.
  const text = textOf(failure).replaceAll(url.href, "");
  const rule = RULES.find(([pattern]) => pattern.test(text));
  const [, kind, message] = rule ?? [text, "protocol" as const, "The server's answer breaks the protocol."];
  return new NetworkError(kind, message, { host: url.hostname, cause: failure });
}

/** The server closed the connection within the body. The fallback client gives what has arrived. */
const CUT_SHORT = /end of file before message length|unexpected EOF during chunk/;
/** What the fallback client says of that. */
const CLOSED_BY_SERVER =
  /other side closed|terminated|premature|does not match content-length|invalid EOF state/i;

/** Remedy for a weakness of the primary client, or for a body that ends too early; undefined for other failures. */
export function remedyOf(failure: unknown): "once more" | "other client" | "what has come" | undefined {
  const text = textOf(failure);
  if (CLOSED_IN_USE.test(text)) return "once more";
  if (UNREADABLE_HEAD.test(text) || CUT_SHORT.test(text)) return "other client";
  return CLOSED_BY_SERVER.test(text) && !/RESET|ABORT/.test(text) ? "what has come" : undefined;
}

/**
 * Joins the codes and messages of all causes, because the outermost often only says that something failed.
 */
function textOf(failure: unknown): string {
  const parts: string[] = [];
  for (let error = failure; error instanceof Error && parts.length < 10; error = error.cause) {
    if ("code" in error) parts.push(String(error.code));
    parts.push(error.message);
  }
  return parts.join(" ");
}
