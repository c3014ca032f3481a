import type { BrandDecisions, BrandEvidence, LogoCandidate } from "./evidence.ts";

/** What speaks for a picture being the logo. Only candidates with at least one of the first two are taken. */
const SIGNS = { inHeader: 4, linksHome: 3, namesSite: 2, atTop: 1 } as const;
const TOP = 200;
const MAX_LIKELY = 5;

/** Address of the logo: the first picture of the header that leads home, or the likeliest otherwise. */
export function brandLogo(evidence: BrandEvidence, decided: BrandDecisions = {}): LogoCandidate | undefined {
  const likely = likelyLogos(evidence);
  return likely.find(({ url }) => url === decided.logo) ?? likely[0];
}

/** The pictures that most speaks for, in the order of the page. */
export function likelyLogos(evidence: BrandEvidence): readonly LogoCandidate[] {
  const candidates = evidence.logos.filter(({ isInHeader, linksHome }) => isInHeader || linksHome);
  const scores = candidates.map((candidate) => scoreOf(candidate, evidence));
  const best = candidates.filter((_, place) => scores[place] === Math.max(...scores));
  const different = best.filter(({ url }, place) => best.findIndex((one) => one.url === url) === place);
  return different.slice(0, MAX_LIKELY);
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
export function brandName(evidence: BrandEvidence, decided: BrandDecisions = {}): string | undefined {
  const alt = brandLogo(evidence, decided)
    ?.alt.replace(/\b(?:logo|home\s?page|home)\b\s*$/i, "")
    .trim();
  return evidence.siteName || alt || undefined;
}
