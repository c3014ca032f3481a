import type { HeaderList } from "./request-headers.ts";

/** Names of headers that let somebody in, going by what services call them. */
const CREDENTIAL = /auth|token|secret|session|passw|credential|signature|api-?key|access-?key|jwt|csrf|xsrf/i;

/** Whether a header must not reach another origin than the one it was given for. */
function isCredential(name: string): boolean {
  return name.toLowerCase() === "cookie" || CREDENTIAL.test(name);
}

export function withoutCredentials(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !isCredential(name));
}

/** A copy of the URL without user name and password, and the `Authorization` header they stand for. */
export function splitUserinfo(url: URL): { url: URL; authorization: string | undefined } {
  const bare = new URL(url);
  if (url.username === "" && url.password === "") return { url: bare, authorization: undefined };
  const userinfo = `${decode(url.username)}:${decode(url.password)}`;
  bare.username = "";
  bare.password = "";
  return { url: bare, authorization: `Basic ${Buffer.from(userinfo, "utf8").toString("base64")}` };
}

/** A lone percent sign is legal in a password, and stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
