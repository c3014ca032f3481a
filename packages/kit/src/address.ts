/** Characters of an address that was found on a page, in a sitemap or by an engine; longer ones are dropped. */
export const MAX_FOUND_URL_LENGTH = 2000;

/** Characters of an address that a request names. */
export const MAX_URL_LENGTH = 16_384;

declare const isBounded: unique symbol;

/**
 * An address of others, of bounded length. Only these two functions make one, where addresses come in: on pages, in
 * sitemaps, from engines and in requests. Frontiers, maps, lists of errors and logs take nothing else.
 */
export type Address = string & { readonly [isBounded]: true };

/** One that was found. Undefined when it is longer than addresses that people write. */
export function foundAddress(text: string): Address | undefined {
  return text.length <= MAX_FOUND_URL_LENGTH ? (text as Address) : undefined;
}

/** One that was asked for, or to which one led that was. A longer one than may be asked for is cut. */
export function givenAddress(text: string): Address {
  return text.slice(0, MAX_URL_LENGTH) as Address;
}
