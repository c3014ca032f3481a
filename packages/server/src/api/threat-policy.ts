import { z } from "zod";

import { callerLabels } from "./caller-labels.ts";
import { isIpAddress } from "./ip-address.ts";

const DOMAIN = /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u;
const TOP_LEVEL_DOMAIN = /^[a-z0-9]{1,63}$/;
const MAX_DOMAINS = 1000;
const MAX_DOMAIN_LENGTH = 253;
/** Longer entries are not quoted in error messages. */
const MAX_ENTRY_LENGTH = 1000;

/** Entries may be addresses, because a host may be one. */
const Domain = z
  .string()
  .max(MAX_ENTRY_LENGTH)
  .transform((text, context) => {
    const domain = text.toLowerCase().replace(/^\[(.*)\]$/, "$1");
    const isShort = domain.length <= MAX_DOMAIN_LENGTH;
    if (isShort && (DOMAIN.test(domain) || isIpAddress(domain))) return domain;
    context.addIssue({
      code: "custom",
      message: `Invalid domain entry "${text}": must be a plain domain like "example.com" or a wildcard glob like "*.example.com" (no protocol, path, or port)`,
    });
    return z.NEVER;
  });

const TopLevelDomain = z
  .string()
  .max(MAX_ENTRY_LENGTH)
  .refine((text) => TOP_LEVEL_DOMAIN.test(text), {
    error: (issue) =>
      `Invalid TLD "${String(issue.input)}": must be a lowercase alphanumeric TLD without the leading dot, e.g. "zip"`,
  });

const fields = {
  mode: z.enum(["off", "normal", "manual-only", "zscaler"]),
  riskScoreThreshold: z.int().min(0).max(100),
  blacklist: z.array(Domain).max(MAX_DOMAINS),
  whitelist: z.array(Domain).max(MAX_DOMAINS),
  blockedTlds: z.array(TopLevelDomain).max(MAX_DOMAINS),
  failurePolicy: z.enum(["open", "closed"]),
};

/** `threatProtection` of a request: given fields replace those of the team. */
export const ThreatProtection = z.strictObject(fields).partial();
export type ThreatProtection = z.output<typeof ThreatProtection>;

/** Policy that a team sets (contract, sections 3.28 and 6.1). */
export const ThreatPolicy = z.strictObject({
  mode: fields.mode,
  riskScoreThreshold: fields.riskScoreThreshold.default(75),
  blacklist: fields.blacklist.default([]),
  whitelist: fields.whitelist.default([]),
  blockedTlds: fields.blockedTlds.default([]),
  failurePolicy: fields.failurePolicy.default("closed"),
  allowRequestOverrides: z.boolean().default(true),
});
export type ThreatPolicy = z.output<typeof ThreatPolicy>;

/** A policy as clients send it. The official client puts its name into every body. */
export const ThreatPolicyRequest = () =>
  z.strictObject({
    ...ThreatPolicy.shape,
    ...callerLabels,
  });
