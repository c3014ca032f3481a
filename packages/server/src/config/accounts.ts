import { resolve } from "node:path";

import { z } from "zod";

import type { LimitSettings } from "../accounts/limits.ts";
import { choice, headerKey, limitOrOff, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

/**
 * A self-hosted service has no limits; a shared service has those of a typical plan (contract, section 5.2).
 */
const DEFAULT_LIMITS = {
  open: { concurrency: "off", requestsPerMinute: "off" },
  keys: { concurrency: 50, requestsPerMinute: 500 },
} as const;

/** An amount above 0, such as `0.002 EUR`. */
const PRICE = /^(?=.*[1-9])(\d{1,6}(?:\.\d{1,9})?) ([A-Z]{3})$/;
const LEAST_KEY_LENGTH = 16;
const METRICS_KEY = /^[!-~]{16,}$/;

/** Access to the service, and limits of its use. */
export const accounts = definePart({
  title: "Accounts",
  settings: z.object({
    AUTH: choice("open", "keys").optional().meta({
      description: "who may use the service: everyone (`open`), or callers with an API key (`keys`)",
      unset: "`open` on loopback, else `keys`",
    }),
    ADMIN_KEY: headerKey({ least: LEAST_KEY_LENGTH }).optional().meta({
      description: "operator's key for `/admin/api`",
      unset: "created at the first start, shown once; required with Postgres",
    }),
    METRICS_KEY: z
      .string()
      .refine((key) => key === "open" || METRICS_KEY.test(key), {
        error: `must be open, or at least ${LEAST_KEY_LENGTH} printable ASCII characters without spaces`,
      })
      .optional()
      .meta({
        description: "additional bearer key for `/metrics`, or `open` for access without a key",
        unset: "`open` in open mode, else only the operator's key",
      }),
    ZERO_DATA_RETENTION: choice("allowed", "off")
      .default("allowed")
      .describe("whether teams without a flag of their own may ask for zero data retention"),
    CREDIT_PRICE: z
      .string()
      .regex(PRICE, { error: "must be an amount and a currency, such as 0.002 EUR" })
      .optional()
      .meta({
        description: "price of a credit, such as `0.002 EUR`: the dashboard shows money beside credits",
        unset: "credits only",
      }),
    TEAM_CONCURRENCY: limitOrOff({ most: 1_000_000 }).optional().meta({
      description: "maximum concurrent requests per team, or `off`",
      unset: "50 in keyed mode, else `off`",
    }),
    TEAM_QUEUE: wholeNumber({ most: 1_000_000 }).default(1000).describe("maximum waiting requests per team"),
    RATE_LIMIT: limitOrOff({ most: 1_000_000_000 }).optional().meta({
      description:
        "maximum scrapes, maps and searches per team and minute, each counted by itself, or `off`. Starts of crawls, batches, extracts, agents and sessions: a fifth; status requests: 50 times as many",
      unset: "500 in keyed mode, else `off`",
    }),
  }),
  derive(settings, { isLocal, dataDir }) {
    const auth = settings.AUTH ?? (isLocal ? "open" : "keys");
    const usual = DEFAULT_LIMITS[auth];
    /** Limits of teams without their own. */
    const teamLimits: LimitSettings = {
      concurrency: limitOf(settings.TEAM_CONCURRENCY ?? usual.concurrency),
      requestsPerMinute: limitOf(settings.RATE_LIMIT ?? usual.requestsPerMinute),
      queued: settings.TEAM_QUEUE,
    };
    return {
      auth,
      /** When undefined, the first start creates a key. */
      adminKey: settings.ADMIN_KEY,
      /** Holds the hash of a created key. */
      adminKeyFile: resolve(dataDir, "admin-key.sha256"),
      /** When undefined, only the operator's key opens `/metrics`. */
      metricsKey: settings.METRICS_KEY ?? (auth === "open" ? "open" : undefined),
      /** Nothing is charged by it. */
      creditPrice: priceOf(settings.CREDIT_PRICE),
      teamLimits,
      /** Flags of teams without their own. */
      teamFlags: { zeroDataRetention: settings.ZERO_DATA_RETENTION },
    };
  },
});

function priceOf(text = "") {
  const [, amount, currency] = PRICE.exec(text) ?? [];
  return amount === undefined || currency === undefined ? undefined : { amount: Number(amount), currency };
}

function limitOf(setting: number | "off"): number | undefined {
  return setting === "off" ? undefined : setting;
}
