import { createHash } from "node:crypto";

import type { SamplePages } from "../sample.ts";
import type { Contender } from "./contenders.ts";
import { threadKinds, type ThreadTimes } from "./thread-times.ts";

const AT_ONCE = 4;
/** The services take turns of so many pages, so that what else runs on the machine meets them alike. */
const TURN = 25;

/** What one round of all pages cost one service. */
export interface Round {
  /** Per page. */
  readonly times: ThreadTimes;
  readonly megabytes: number;
  /** Of all Markdown, in the order of the pages. */
  readonly digest: string;
}

/** @returns one for each contender. */
export async function runRound(
  pages: SamplePages,
  origin: string,
  contenders: readonly Contender[],
): Promise<readonly Round[]> {
  const paths = Object.keys(pages);
  const sums = contenders.map(() => ({
    times: { main: 0, page: 0, V8: 0, others: 0 },
    texts: [] as string[],
  }));
  for (let from = 0; from < paths.length; from += TURN) {
    const turn = paths.slice(from, from + TURN).map((path) => origin + path);
    for (const [index, { service, times }] of contenders.entries()) {
      const sum = sums[index];
      if (!sum) continue;
      const before = times();
      sum.texts.push(...(await scrapeAll(turn, service.url)));
      const after = times();
      for (const kind of threadKinds) sum.times[kind] += (after[kind] - before[kind]) / paths.length;
    }
  }
  return sums.map(({ times, texts }, index) => ({
    times,
    megabytes: contenders[index]?.megabytes() ?? 0,
    digest: createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 12),
  }));
}

/** @returns the Markdown of each. */
export async function scrapeAll(urls: readonly string[], service: string): Promise<readonly string[]> {
  const texts: string[] = [];
  let next = 0;
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let index = next++; index < urls.length; index = next++)
      texts[index] = await scrapeOne(urls[index] ?? "", service);
  });
  await Promise.all(callers);
  return texts;
}

async function scrapeOne(url: string, service: string): Promise<string> {
  const body = JSON.stringify({ url, formats: ["markdown"], maxAge: 0, fastMode: true, timeout: 60_000 });
  const headers = { "content-type": "application/json", authorization: "Bearer fc-bench" };
  const response = await fetch(`${service}/v2/scrape`, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service}, ${url}: ${text.slice(0, 200)}`);
  const { markdown } = (JSON.parse(text) as { data: { markdown?: string } }).data;
  return (markdown ?? "").replaceAll(new URL(url).origin, "");
}
