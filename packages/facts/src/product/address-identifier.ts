/** An identifier in the page's URL that the page also states. */
export interface AddressIdentifier {
  readonly value: string;
  /** How often the page states it, as `countStated` counts. */
  readonly count: number;
}

const MAX_ADDRESS_LENGTH = 2000;
const MAX_TOKENS = 20;

/**
 * Parts of a URL that may identify its product, such as the `B07FW264WL` of `/dp/B07FW264WL`. Only those that
 * the page states as a separate value, most frequent first, at most four.
 */
export function identifiersOfAddress(source: string, url: string): readonly AddressIdentifier[] {
  return identifiersIn(url)
    .map((value) => ({ value, count: countStated(source, value) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, 4);
}

function identifiersIn(url: string): readonly string[] {
  if (url.length > MAX_ADDRESS_LENGTH || !URL.canParse(url)) return [];
  const { pathname, searchParams } = new URL(url);
  const parts = [...pathname.split("/").filter(Boolean).slice(-3).reverse(), ...searchParams.values()];
  const tokens = parts.map(plain).flatMap((part) => [part, ...part.split(/[-_.]/)]);
  return [
    ...new Set(tokens.filter(looksLikeIdentifier).flatMap((token) => [token, ...withoutPrefix(token)])),
  ].slice(0, MAX_TOKENS);
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part).replace(/\.(?:html?|php|aspx?)$/i, "");
  } catch {
    return part;
  }
}

/** 4 to 32 letters, digits and hyphens with three consecutive digits; not a word and not a year. */
function looksLikeIdentifier(token: string): boolean {
  return (
    /\d{3}/.test(token) &&
    /^[A-Za-z0-9][A-Za-z0-9-]{3,31}$/.test(token) &&
    !/[a-z]{4}/.test(token) &&
    !/^(?:19|20)\d\d$/.test(token)
  );
}

function withoutPrefix(token: string): readonly string[] {
  const bare = /^[a-z]{1,2}0?(\d{5,})$/.exec(token)?.[1];
  return bare === undefined ? [] : [bare];
}

/**
 * Number of times the source has the value as a text or attribute of its own, a word, or a value in JSON or in the
 * query of a link; at most 1000. Parts of paths do not count.
 */
export function countStated(source: string, value: string): number {
  let count = 0;
  for (
    let at = source.indexOf(value);
    at >= 0 && count < 1000;
    at = source.indexOf(value, at + value.length)
  ) {
    const before = source.charAt(at - 1);
    const after = source.charAt(at + value.length);
    if (/["'=:>\s]/.test(before) && /["'<\s&,;]/.test(after)) count++;
  }
  return count;
}
