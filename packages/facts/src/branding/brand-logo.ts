import type { BrandDecisions, BrandEvidence, LogoCandidate } from "./evidence.ts";

/** Weights of the evidence that a picture is the logo. A candidate needs at least one of the first two. */
const SIGNS = { inHeader: 4, linksHome: 3, namesSite: 2, atTop: 1 } as const;
const TOP = 200;
const MAX_LIKELY = 5;

/** The likeliest logo, unless a model has decided for another likely one. */
export function brandLogo(evidence: BrandEvidence, decided: BrandDecisions = {}): LogoCandidate | undefined {
  const likely = likelyLogos(evidence);
  return likely.find(({ url }) => url === decided.logo) ?? likely[0];
}

/** Candidates with the highest score, in page order. */
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

/** The brand's name: as the page states it, else the logo's alternative text. */
export function brandName(evidence: BrandEvidence, decided: BrandDecisions = {}): string | undefined {
  const alt = brandLogo(evidence, decided)
    ?.alt.replace(/\b(?:logo|home\s?page|home)\b\s*$/i, "")
    .trim();
  return evidence.siteName || alt || undefined;
}
