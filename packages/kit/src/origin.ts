/**
 * Returns an origin in the canonical form that browsers send (RFC 6454): scheme, host, and port unless it is
 * the default. Undefined for everything else, including the origin `null`.
 */
export function originOf(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
