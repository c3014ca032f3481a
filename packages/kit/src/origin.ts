/**
 * The canonical form of an origin as browsers send it (RFC 6454): scheme, host, and port unless it is the default.
 * Undefined for everything else, the origin `null` too.
 */
export function originOf(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
