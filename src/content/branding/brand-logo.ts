import type { BrandEvidence, LogoCandidate } from "./evidence.ts";

/** What speaks for a picture being the logo. Only candidates with at least one of the first two are taken. */
const SIGNS = { inHeader: 4, linksHome: 3, namesSite: 2, atTop: 1 } as const;
const TOP = 200;

/** Address of the logo: the first picture of the header that leads home, or the likeliest otherwise. */
export function brandLogo(evidence: BrandEvidence): LogoCandidate | undefined {
  const candidates = evidence.logos.filter(({ isInHeader, linksHome }) => isInHeader || linksHome);
  return candidates.toSorted((a, b) => scoreOf(b, evidence) - scoreOf(a, evidence))[0];
}

function scoreOf({ isInHeader, linksHome, alt, top }: LogoCandidate, { siteName }: BrandEvidence): number {
  const names = siteName !== undefined && alt.toLowerCase().includes(siteName.toLowerCase());
  return (
    (isInHeader ? SIGNS.inHeader : 0) +
    (linksHome ? SIGNS.linksHome : 0) +
    (names ? SIGNS.namesSite : 0) +
    (top < TOP ? SIGNS.atTop : 0)
  );
}

/** What the brand calls itself: what the page says, else what the logo stands for. */
export function brandName(evidence: BrandEvidence): string | undefined {
  const alt = brandLogo(evidence)
    ?.alt.replace(/\s*(?:\blogo\b|\bhome\s?page\b|\bhome\b)\s*$/i, "")
    .trim();
  return evidence.siteName || alt || undefined;
}
