/** A known release, from which the dates of the others follow: one every four weeks, apart from holidays. */
const KNOWN_RELEASE = { major: 147, atMs: Date.UTC(2026, 3, 7) };
const RELEASE_INTERVAL_MS = 28 * 24 * 60 * 60 * 1000;
const MONTH_MS = 30.4 * 24 * 60 * 60 * 1000;
/** An older browser lacks the security fixes of more than one quarter. */
export const MAX_AGE_MONTHS = 4;
export const NEWER_BROWSER =
  "Install a newer one, such as chromium-headless-shell of your system, or update this service.";

/** Returns whole months since the release of a version such as `147.0.7727.0`. */
export function ageInMonths(version: string, nowMs: number): number {
  const releases = Number.parseInt(version, 10) - KNOWN_RELEASE.major;
  const ageMs = nowMs - (KNOWN_RELEASE.atMs + releases * RELEASE_INTERVAL_MS);
  return Math.max(0, Math.floor(ageMs / MONTH_MS));
}

/** Returns the warning for the operator of a browser that is too old; undefined when it is recent enough. */
export function ageWarning(version: string, nowMs: number): string | undefined {
  const months = ageInMonths(version, nowMs);
  if (months < MAX_AGE_MONTHS) return undefined;
  return `Chromium ${version} is about ${months} months old and lacks the security fixes since then. ${NEWER_BROWSER}`;
}
