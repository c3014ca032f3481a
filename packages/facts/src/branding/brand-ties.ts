import { brandColors, likelyPrimaries } from "./brand-colors.ts";
import { likelyLogos } from "./brand-logo.ts";
import type { BrandEvidence, LogoCandidate } from "./evidence.ts";

/** Candidates that the measurements cannot decide between. Empty lists mean that the choice is clear. */
export interface BrandTies {
  readonly logos: readonly LogoCandidate[];
  readonly primaries: readonly string[];
}

export function brandTies(evidence: BrandEvidence): BrandTies {
  const logos = likelyLogos(evidence);
  const primaries = likelyPrimaries(evidence, brandColors(evidence).background);
  return {
    logos: logos.length > 1 ? logos : [],
    primaries: primaries.length > 1 ? primaries : [],
  };
}
