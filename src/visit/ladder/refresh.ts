import { withoutCredentials } from "../../platform/net/credentials.ts";
import { type Attempt, type Engine, lacksOf, type Refusal, SCRIPTS } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { isRefused, type Judged, visitBy } from "./judge.ts";

/** Pages that send their visitors on to another, one after the other. */
const MAXIMUM_REFRESHES = 3;

/** Follows pages that do nothing but send their visitors on, where the engine does not do that by itself. */
export async function visitFollowing(
  engine: Engine,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Judged | Refusal> {
  let result = await visitBy(engine, attempt, signal);
  if (lacksOf(engine, [SCRIPTS]).length === 0) return result;
  for (let refreshes = 0; refreshes < MAXIMUM_REFRESHES && !isRefused(result); refreshes += 1) {
    const next = refreshTarget(result);
    if (next === undefined) break;
    const followed = await visitBy(engine, { ...attempt, visit: redirected(attempt.visit, next) }, signal);
    if (isRefused(followed)) break;
    result = { ...followed, capture: { ...followed.capture, requestedUrl: attempt.visit.url } };
  }
  return result;
}

function refreshTarget({ capture, judgement }: Judged): string | undefined {
  const refreshUrl = judgement?.refreshUrl;
  if (refreshUrl === undefined || !URL.canParse(refreshUrl, capture.url)) return undefined;
  const { href, protocol } = new URL(refreshUrl, capture.url);
  return href !== capture.url && /^https?:$/.test(protocol) ? href : undefined;
}

/** The same visit elsewhere; credentials stay behind when it is another site. */
function redirected(visit: Visit, url: string): Visit {
  const isSameOrigin = new URL(url).origin === new URL(visit.url).origin;
  const headers = Object.entries(visit.headers);
  return { ...visit, url, headers: Object.fromEntries(isSameOrigin ? headers : withoutCredentials(headers)) };
}
