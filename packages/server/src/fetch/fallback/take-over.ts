import type { Attempt } from "../engine.ts";
import type { Judged } from "./judge.ts";
import { textOfPage } from "./static-page.ts";

/** The attempt for the next engine, which continues from what came. Where the site blocked that, it fetches for itself. */
export function nextAttempt(attempt: Attempt, { engineResult, capture, isBlocked }: Judged): Attempt {
  const fetched = isBlocked || capture.body.byteLength === 0 ? undefined : engineResult.handOver;
  return { ...attempt, ...(fetched && { handOver: fetched }) };
}

/** For files that are not a page, and for empty bodies, the first body stays; the next engine adds only pictures and the like. */
export function withOwnBody(before: Judged, after: Judged): Judged {
  const isEmpty = before.capture.body.byteLength === 0;
  if (isEmpty ? textOfPage(after.capture) > 0 : before.isPage) return trustedAs(before, after);
  const { body, contentType, headers, file } = before.capture;
  const own = { body, contentType, headers, ...(file && { file }) };
  return trustedAs(before, { ...after, capture: { ...after.capture, ...own } });
}

/** What continues from something deserves no more trust than that. */
export function trustedAs({ capture: before }: Judged, after: Judged): Judged {
  if (!before.hasUnverifiedTls) return after;
  return { ...after, capture: { ...after.capture, hasUnverifiedTls: true } };
}
