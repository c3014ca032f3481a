/**
 * Prices in credits of a scrape, and of what follows it, but for those of the formats, which are next to each format
 * (contract, section 5.1).
 */
export const credits = {
  base: 1,
  /** Tokens of one credit, at the public service's rate: clients use it for display alone. */
  tokens: 15,
  /** Whatever else is asked for. */
  lockdownHit: 5,
  lockdownMiss: 1,
  /** For each page of a PDF that is parsed, after the first. */
  furtherPdfPage: 1,
  /** For each page that is redacted; what is not a PDF counts as one. */
  redactedPage: 4,
  zeroDataRetention: 1,
  promptInjectionCheck: 4,
  /** For each distinct URL that a classifier judged, even if the request failed. */
  threatScan: 2,
  /** Sessions on a page, by the second and at least a minute (contract, section 3.32). */
  sessionMinute: 2,
  /** The whole session, once any call had a prompt. */
  promptedMinute: 7,
  map: 1,
  /** For ten results begun, over all sources. */
  searchResults: 2,
  /** The same where the engine may keep nothing, either. */
  privateSearchResults: 10,
  /** A page of a monitor that a model judges by the goal. */
  judgment: 1,
} as const;
