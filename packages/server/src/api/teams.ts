import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

/** Permissions of a team beyond plain scraping. A missing flag has the default of a self-hosted service. */
export const TeamFlags = z.strictObject({
  zeroDataRetention: z
    .union([z.boolean().transform((on) => (on ? "forced" : "off")), z.enum(["off", "allowed", "forced"])])
    .optional()
    .describe("forced (true), allowed (default) or off (false)."),
  providerTools: z.boolean().optional().describe("Whether the team can use provider tools. Default: false."),
  termsAccepted: z
    .boolean()
    .optional()
    .describe("Whether the team has accepted the terms of third-party data. Default: false."),
  threatProtection: z
    .boolean()
    .optional()
    .describe("Whether the team can use threat protection. Default: true."),
  passRobots: z
    .boolean()
    .optional()
    .describe("May crawl what robots.txt forbids. Default: false, true without keys."),
  safeMode: z.boolean().optional().describe("Whether the team can use safeMode. Default: true."),
  banned: z.boolean().optional().describe("Whether all requests are rejected. Default: false."),
});

/** Replaces the limits of the settings for one team. A limit that is null or missing stays unchanged. */
export const TeamLimits = z.strictObject({
  concurrency: z.int().min(1).max(100_000).nullish().describe("Maximum concurrent requests."),
  requestsPerMinute: z.int().min(1).max(10_000_000).nullish(),
});

/** Credits granted each period. Unused credits expire at its end. */
export const Allowance = lazy(() =>
  z.strictObject({
    credits: z.int().min(0).max(1_000_000_000_000),
    period: z.enum(["day", "month"]).default("month").describe("Calendar day or month in UTC."),
  }),
);

export type TeamFlags = z.output<typeof TeamFlags>;
export type TeamLimits = z.output<typeof TeamLimits>;
export type Allowance = z.output<ReturnType<typeof Allowance>>;
