/**
 * Prices in credits of a scrape and of operations based on it. Prices of formats are next to each format
 * (contract, section 5.1).
 */
export const credits = {
  base: 1,
  /** Tokens per credit, at the public service's rate. Clients only display it. */
  tokens: 15,
  /** Flat price, whatever else is requested. */
  lockdownHit: 5,
  lockdownMiss: 1,
  /** Per parsed PDF page after the first. */
  furtherPdfPage: 1,
  /** Per redacted page. Any other document counts as one page. */
  redactedPage: 4,
  zeroDataRetention: 1,
  promptInjectionCheck: 4,
  /** Per distinct URL that a classifier judged, even if the request failed. */
  threatScan: 2,
  /** Browser sessions are billed by the second, for at least a minute (contract, section 3.32). */
  sessionMinute: 2,
  /** Price of the whole session once any call had a prompt. */
  promptedMinute: 7,
  map: 1,
  /** Per ten results or part of it, over all sources. */
  searchResults: 2,
  /** The same, when the search engine may not keep data either. */
  privateSearchResults: 10,
  /** Per page of a monitor that a model judges by the goal. */
  judgment: 1,
} as const;
