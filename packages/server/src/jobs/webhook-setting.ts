import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { headersOf } from "../api/headers.ts";
import { limits } from "../api/limits.ts";
import type { WebhookSetting } from "./job-rows.ts";

/** First word of an event → its second words. */
export const webhookEvents = {
  crawl: ["started", "page", "completed", "failed", "cancelled"],
  batch_scrape: ["started", "page", "completed", "failed", "cancelled"],
  extract: ["started", "completed", "failed", "cancelled"],
  agent: ["started", "action", "completed", "failed", "cancelled"],
  monitor: ["page", "check.completed"],
} as const;

const MAX_TEXT_LENGTH = 16 * 1024;

/**
 * The receiver of the events of a job: a URL, or an object (contract of the families, section 6.1).
 * @param words second words of the events: `page`, `completed` …
 * @param name first word of the events: `crawl`.
 */
export function webhookSchema(name: string, words: readonly string[]) {
  const names = words.flatMap((word) => [word, `${name}.${word}`]);
  const setting = z.strictObject({
    url: z
      .string()
      .max(limits.urlLength)
      .refine(isWebAddress, { error: "A webhook needs a URL that begins with http:// or https://" }),
    headers: headersOf(MAX_TEXT_LENGTH).default({}),
    metadata: boundedRecord(z.string().max(MAX_TEXT_LENGTH)).default({}),
    events: z.array(z.enum(names)).max(names.length).default([]).describe("Default: all."),
  });
  return z
    .unknown()
    .transform((value) => (typeof value === "string" ? { url: value } : value))
    .pipe(setting)
    .transform((checked): WebhookSetting => checked)
    .describe(
      `Receiver of events (${words.map((word) => `${name}.${word}`).join(", ")}): a URL, or an object with url, headers, metadata and events.`,
    );
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
