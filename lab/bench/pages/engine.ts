import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { htmlToMarkdown } from "../../../packages/html/src/index.ts";
import { TextFile } from "../../../packages/server/src/history/page-index/text-file.ts";
import type { Figure } from "../report.ts";
import { madeSample, spreadSample } from "../sample.ts";
import { cpuMs, slowestFigure } from "../slowest.ts";

const ALL = 10_000;
const ROUNDS = 3;
const MAX_INDEX_MS = 0.3;
const URL = "https://example.com/page";

/** The slowest of all labelled pages, and what the index takes of the main thread for a new one. */
export async function engineFigures(): Promise<readonly Figure[]> {
  const pages = Object.entries(spreadSample(ALL) ?? madeSample());
  const timed = pages.map(([name, html]) => ({ name, size: html.length, ms: Infinity, markdown: "" }));
  // The first round compiles.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, [, html]] of pages.entries()) {
      const one = timed[index];
      if (one) one.ms = Math.min(one.ms, cpuMs(() => (one.markdown = htmlToMarkdown(html, { url: URL }))));
    }
  const folder = await mkdtemp(join(tmpdir(), "bench-index-"));
  try {
    const file = new TextFile(join(folder, "search.db"));
    const ids = { teamId: "a", scrapeId: "s", captureId: "c", description: "" };
    const texts = timed.map(({ name, markdown }) => ({ ...ids, url: URL + name, title: name, markdown }));
    const ms = cpuMs(() => {
      for (let rest = texts; rest.length > 0;) rest = rest.slice(file.put(rest));
    });
    file.close();
    const perPage = ms / texts.length;
    return [
      slowestFigure("labelled pages", timed),
      {
        name: "index of a new page, CPU of the main thread",
        value: `${perPage.toFixed(2)} ms`,
        limit: `≤ ${MAX_INDEX_MS} ms`,
        isMet: perPage <= MAX_INDEX_MS,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
