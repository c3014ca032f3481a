/** Maximum characters of an address from a page, a sitemap or a search engine. Longer ones are dropped. */
export const MAX_FOUND_URL_LENGTH = 2000;

/** Maximum characters of an address in a request. */
export const MAX_URL_LENGTH = 16_384;

declare const isBounded: unique symbol;

/**
 * An external address of bounded length. Only the two functions below create one, where addresses come in: on
 * pages, in sitemaps, from search engines and in requests. Frontiers, maps, lists of errors and logs accept
 * nothing else.
 */
export type Address = string & { readonly [isBounded]: true };

/** Wraps a found address; undefined when it is longer than real addresses are. */
export function foundAddress(text: string): Address | undefined {
  return text.length <= MAX_FOUND_URL_LENGTH ? (text as Address) : undefined;
}

/** Wraps a requested address, or one that a requested address led to. Longer ones are cut. */
export function givenAddress(text: string): Address {
  return text.slice(0, MAX_URL_LENGTH) as Address;
}
