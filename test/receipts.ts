import { expect } from "vitest";

import type { RunAnswer } from "./runs.ts";

/** A line of the receipt of a crawl; which members it has depends on its type. */
export interface OutcomeLine {
  readonly type: "summary" | "origin" | "address" | "next";
  readonly url: string;
  readonly outcome: string;
  readonly depth: number;
  readonly to?: string;
  readonly code?: string;
  readonly rule?: string;
  readonly of?: string;
  readonly why?: string;
  readonly system?: string;
  readonly status?: number;
  readonly seen: number;
  readonly unlisted: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly origin: string;
  readonly robots: string;
  readonly sitemaps: readonly { readonly url: string; readonly pages: number }[];
}

/** Errors of crawls that are no failures of pages. */
const OF_LINKS = new Set(["EXTERNAL_LINK", "CRAWL_TRAP", "CRAWL_DENIAL"]);

/** The receipt of a crawl that has ended adds up, and agrees with its state and its errors. */
export function expectReceipt(
  lines: readonly OutcomeLine[],
  { status, completed }: Pick<RunAnswer, "status" | "completed">,
  { errors, robotsBlocked }: Pick<RunAnswer, "errors" | "robotsBlocked">,
): void {
  const [summary] = lines;
  const addresses = lines.filter(({ type }) => type === "address");
  const counts: Record<string, number> = {};
  for (const { outcome } of addresses) counts[outcome] = (counts[outcome] ?? 0) + 1;
  expect({ ...summary, unlisted: 0 }).toEqual({
    type: "summary",
    seen: addresses.length,
    outcomes: counts,
    unlisted: 0,
  });
  expect(new Set(addresses.map(({ url }) => url)).size).toBe(addresses.length);
  const failed = errors.filter(({ code }) => code === undefined || !OF_LINKS.has(code)).length;
  const { document = 0, blocked = 0, error = 0, robots = 0, waiting = 0, visiting = 0 } = counts;
  expect({ waiting, visiting }).toEqual({ waiting: 0, visiting: 0 });
  expect({ documents: document + blocked }).toEqual({ documents: completed });
  // A job that ends early keeps errors of pages that ended with it.
  if (status === "completed")
    expect({ error, robots }).toEqual({ error: failed, robots: robotsBlocked.length });
}
