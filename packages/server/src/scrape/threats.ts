import { judgeByLists } from "../accounts/threat-policy.ts";
import { type ThreatPolicy } from "../api/threat-policy.ts";
import { ServiceError } from "../api/errors.ts";
import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { ThreatClassifier } from "../fetch/threats/classifier.ts";

/** Reasons for blocking a URL. */
type Rule = "blacklist" | "blocked_tld" | "classifier" | "failure_policy";

interface ThreatRules {
  /** Undefined when nothing needs a check. */
  readonly policy: ThreatPolicy | undefined;
  /** Undefined when the operator configured none. */
  readonly classifier: ThreatClassifier | undefined;
  /** False when no data of the scrape may leave the service. Only a local classifier is called then. */
  readonly mayAskOthers: boolean;
}

/** The requested URL and the final one. URLs that actions open are only known afterwards. */
const USUAL_SCANS = 2;

/** Judges each URL of one scrape once. */
export class ThreatGuard {
  readonly #policy: ThreatPolicy | undefined;
  readonly #classifier: ThreatClassifier | undefined;
  readonly #judged = new Set<string>();
  #scans = 0;

  constructor({ policy, classifier, mayAskOthers }: ThreatRules) {
    this.#policy = policy;
    this.#classifier = mayAskOthers || classifier?.isLocal ? classifier : undefined;
  }

  /** Typical maximum number of classifier calls. */
  get maxScans(): number {
    return this.#policy?.mode === "normal" && this.#classifier ? USUAL_SCANS : 0;
  }

  /** Number of URLs that the classifier has judged. */
  get scans(): number {
    return this.#scans;
  }

  /** @throws ServiceError unsafe_domain_blocked when the policy refuses the URL. */
  async check(url: string, signal: AbortSignal): Promise<void> {
    if (!this.#policy || this.#judged.has(url)) return;
    this.#judged.add(url);
    const rule = await this.#judge(this.#policy, url, signal);
    if (rule) throw blocked(url, rule);
  }

  async #judge(policy: ThreatPolicy, url: string, signal: AbortSignal): Promise<Rule | undefined> {
    const listed = judgeByLists(policy, url);
    if (listed === "blacklist" || listed === "blocked_tld") return listed;
    if (listed === "allowed" || policy.mode !== "normal") return undefined;
    const score = await this.#score(url, signal);
    if (score === undefined) return policy.failurePolicy === "closed" ? "failure_policy" : undefined;
    return score >= policy.riskScoreThreshold ? "classifier" : undefined;
  }

  /** Undefined when the classifier does not know the URL, or there is none. */
  async #score(url: string, signal: AbortSignal): Promise<number | undefined> {
    if (!this.#classifier) return undefined;
    try {
      const score = await this.#classifier.score(url, signal);
      this.#scans += 1;
      return score;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }
}

function blocked(url: string, rule: Rule): ServiceError {
  return new ServiceError("unsafe_domain_blocked", {
    message: `This URL (${withoutCredentials(url)}) is blocked by your organization's threat protection policy (rule: ${rule}). Ask the administrator of the policy to allow it.`,
  });
}
