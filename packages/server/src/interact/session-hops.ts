import { isBlockedByLists } from "../accounts/threat-policy.ts";
import type { ThreatClassifier } from "../fetch/threats/classifier.ts";
import type { BlockedSites } from "../scrape/request/blocked-sites.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import { ThreatGuard } from "../scrape/threats.ts";
import type { HopJudge } from "../fetch/visit.ts";

export interface HopServices {
  readonly blockedSites: BlockedSites;
  /** Undefined when the operator configured none. */
  readonly threatClassifier: ThreatClassifier | undefined;
}

/** How long a classifier may think about an address that the page goes to. */
const JUDGE_LIMIT_MS = 10_000;

/**
 * Judges where the page of a session goes, as long as the session lasts: each time again, and the first address too, as
 * rules may have changed since the scrape. Undefined when every place may be gone to.
 */
export function sessionHops(
  { threatPolicy: policy }: ScrapeJob,
  { blockedSites, threatClassifier: classifier }: HopServices,
): HopJudge | undefined {
  if (!policy && blockedSites.isEmpty) return undefined;
  return {
    startUrl: "",
    rules: "",
    // The signal that is handed in ends with the first refusal.
    async judge(url) {
      blockedSites.refuse(url);
      const guard = new ThreatGuard({ policy, classifier, mayAskOthers: true });
      await guard.check(url, AbortSignal.timeout(JUDGE_LIMIT_MS));
    },
  };
}

/**
 * Whether nothing at all may be asked of a host, from whichever page of the session: by the operator's list, and by
 * those of the team. Undefined when every host may be asked.
 */
export function hostRefusal(
  { threatPolicy: policy }: ScrapeJob,
  { blockedSites }: Pick<HopServices, "blockedSites">,
): ((url: URL) => boolean) | undefined {
  if (!policy && blockedSites.isEmpty) return undefined;
  return ({ href }) => blockedSites.has(href) || (policy !== undefined && isBlockedByLists(policy, href));
}
