/** Prices of one scrape in credits (contract, section 5.1). */
export const credits = {
  base: 1,
  lockdownHit: 5,
  lockdownMiss: 1,
  dnsFailure: 1,
} as const;
