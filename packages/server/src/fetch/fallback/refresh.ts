import { withoutCredentialHeaders } from "../../net/credentials.ts";
import { type Attempt, lacksOf, type Refusal, SCRIPTS } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { isRefused, type Judged } from "./judge.ts";
import { trustedAs } from "./take-over.ts";

/** Maximum number of consecutive pages that only redirect their visitors. */
export const MAX_REFRESHES = 3;

/**
 * Attempt at the page to which this one only redirects, with the cookies so far. Engines that run scripts
 * follow such redirects themselves, after the time that a known system wants them to wait.
 */
export function refreshed(attempt: Attempt, result: Judged | Refusal): Attempt | undefined {
  if (isRefused(result) || lacksOf(result.engine, [SCRIPTS]).length === 0) return undefined;
  if (result.blocked?.system !== undefined) return undefined;
  const { cookies = [] } = result.engineResult;
  const hasNewCookie = cookies.length > (attempt.cookies?.length ?? 0);
  const url = refreshTarget(result, hasNewCookie);
  return url === undefined ? undefined : { ...attempt, visit: redirected(attempt.visit, url), cookies };
}

/** The result at the target, as the answer to the original visit. */
export function answering(before: Judged, arrived: Judged): Judged {
  const { requestedUrl } = before.capture;
  return trustedAs(before, { ...arrived, capture: { ...arrived.capture, requestedUrl } });
}

/** @param mayStay whether the address may be the same, because its answer will differ. */
function refreshTarget({ capture, judgement }: Judged, mayStay: boolean): string | undefined {
  const refreshUrl = judgement?.refreshUrl;
  if (refreshUrl === undefined || !URL.canParse(refreshUrl, capture.url)) return undefined;
  const { href, protocol } = new URL(refreshUrl, capture.url);
  return (mayStay || href !== capture.url) && /^https?:$/.test(protocol) ? href : undefined;
}

/** The same visit at another URL. Credentials are removed when it is another site. */
function redirected(visit: Visit, url: string): Visit {
  const isSameOrigin = new URL(url).origin === new URL(visit.url).origin;
  const headers = Object.entries(visit.headers);
  return {
    ...visit,
    url,
    headers: Object.fromEntries(isSameOrigin ? headers : withoutCredentialHeaders(headers)),
  };
}
