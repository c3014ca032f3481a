import type { Judged } from "./judge.ts";
import { textOfPage } from "./static-page.ts";

/**
 * Keeps the first body for files that are no pages, and for empty bodies. The next engine then adds only
 * screenshots and the like.
 */
export function withOwnBody(before: Judged, after: Judged): Judged {
  const isEmpty = before.capture.body.byteLength === 0;
  if (isEmpty ? textOfPage(after.capture) > 0 : before.isPage) return trustedAs(before, after);
  const { body, contentType, headers, file } = before.capture;
  const own = { body, contentType, headers, ...(file && { file }) };
  return trustedAs(before, { ...after, capture: { ...after.capture, ...own } });
}

/** A result that continues from another one gets no more trust than that. */
export function trustedAs({ capture: before }: Judged, after: Judged): Judged {
  if (!before.hasUnverifiedTls) return after;
  return { ...after, capture: { ...after.capture, hasUnverifiedTls: true } };
}
