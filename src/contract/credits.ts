/**
 * Prices of one scrape in credits, but for those of the formats, which stand beside each format
 * (contract, section 5.1).
 */
export const credits = {
  base: 1,
  /** On top of the base. */
  lockdownHit: 4,
  lockdownMiss: 1,
  /** For each page of a PDF that is parsed, after the first. */
  furtherPdfPage: 1,
  /** For each page that is redacted; what is no PDF counts as one. */
  redactedPage: 4,
  zeroDataRetention: 1,
  promptInjectionCheck: 4,
  /** For each distinct URL that a classifier judged, whatever came of the request. */
  threatScan: 2,
} as const;
