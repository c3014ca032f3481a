import { setImmediate as nextTurn } from "node:timers/promises";

import { z } from "zod";

import type { Caller } from "../accounts/callers.ts";
import { effectivePolicy, isBlockedByLists } from "../accounts/threat-policy.ts";
import { type ThreatProtection } from "../api/threat-policy.ts";
import { ServiceError } from "../api/errors.ts";
import type { BlockedSites } from "../scrape/request/blocked-sites.ts";
import { targetUrl } from "../scrape/request/target-url.ts";

export interface UrlRules {
  readonly blockedSites: BlockedSites;
  readonly admitsHost: (url: URL) => boolean;
}

interface CheckedUrls {
  /** In the spelling of `targetUrl`. */
  readonly valid: readonly string[];
  /** In the spelling of the request. */
  readonly invalid: readonly string[];
}

interface UrlOrder {
  readonly caller: Caller;
  readonly threatProtection: ThreatProtection | undefined;
  /** True: invalid URLs are left out instead of refusing the request. */
  readonly ignoresInvalid: boolean;
}

/** URLs that are checked between two pauses. They take some 10 ms. */
const SLICE = 1000;

/**
 * @throws ZodError for the first invalid URL; ServiceError UNSUPPORTED_SITE and unsafe_domain_blocked for
 *   blocked URLs. With `ignoresInvalid` it throws none of them.
 */
export async function checkUrls(
  urls: readonly string[],
  order: UrlOrder,
  rules: UrlRules,
): Promise<CheckedUrls> {
  const policy = effectivePolicy(order.caller.team.threatPolicy, order.threatProtection);
  const checked = { valid: [] as string[], invalid: [] as string[] };
  for (const [index, text] of urls.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const target = targetUrl(text, rules.admitsHost);
    const refusal = "url" in target ? refusalOf(target.url, policy, rules) : target.problem;
    if ("url" in target && refusal === undefined) checked.valid.push(target.url);
    else if (order.ignoresInvalid) checked.invalid.push(text);
    else throw refusal instanceof ServiceError ? refusal : invalidUrl(index, refusal ?? "Invalid URL");
  }
  return checked;
}

function refusalOf(
  url: string,
  policy: ReturnType<typeof effectivePolicy>,
  { blockedSites }: UrlRules,
): ServiceError | undefined {
  if (blockedSites.has(url)) return new ServiceError("UNSUPPORTED_SITE");
  if (policy && isBlockedByLists(policy, url)) return new ServiceError("unsafe_domain_blocked");
  return undefined;
}

function invalidUrl(index: number, message: string): z.ZodError {
  return new z.ZodError([{ code: "custom", path: ["urls", index], message, input: undefined }]);
}
