import type { HeaderList } from "./request-headers.ts";

/** Names of headers that services use for credentials. */
const CREDENTIAL = /auth|token|secret|session|passw|credential|signature|api-?key|access-?key|jwt|csrf|xsrf/i;

/**
 * Says whether a header of this name carries credentials. Such a header must not reach another origin than
 * its own.
 */
export function isCredential(name: string): boolean {
  return name.toLowerCase() === "cookie" || CREDENTIAL.test(name);
}

/** Schemes that authenticate a connection instead of a request: MS-NTHT, RFC 4559. */
const OF_CONNECTION = /^(?:ntlm|negotiate|nego2|kerberos)(?:\s|$)/i;

/** True when the server may attribute further requests on the connection to the same user. */
export function authenticatesConnection(headers: HeaderList): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === "authorization" && OF_CONNECTION.test(value.trim()),
  );
}

export function withoutCredentialHeaders(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !isCredential(name));
}

/** Returns the URL without user name and password, and the `Authorization` header that replaces them. */
export function splitUserinfo(url: URL): { url: URL; authorization: string | undefined } {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return { url: bare, authorization: basicAuthorization(url) };
}

/**
 * Builds the value of an `Authorization` or `Proxy-Authorization` header from the URL's user name and
 * password.
 */
export function basicAuthorization(url: URL): string | undefined {
  const userinfo = userinfoOf(url);
  if (!userinfo) return undefined;
  return `Basic ${Buffer.from(`${userinfo.username}:${userinfo.password}`, "utf8").toString("base64")}`;
}

/** Returns the decoded user name and password; undefined when the URL has neither. */
export function userinfoOf({ username, password }: URL) {
  if (username === "" && password === "") return undefined;
  return { username: decode(username), password: decode(password) };
}

/** A lone percent sign is legal in a password, and stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
