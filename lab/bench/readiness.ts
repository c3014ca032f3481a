import type { BrowserPool } from "../../packages/browser/src/pool.ts";
import { watchReadiness } from "../../packages/browser/src/readiness/readiness.ts";
import { readHtml } from "../../packages/browser/src/tab/snapshot.ts";
import type { BrowserTab } from "../../packages/browser/src/tab/tab.ts";
import { appPages } from "./app-pages.ts";
import type { Figure } from "./report.ts";

const ROUNDS = 3;

const never = new AbortController().signal;

interface Arrival {
  readonly isWhole: boolean;
  readonly latenessMs: number;
}

/** How well the right moment is found, on pages that tell it. */
export async function readinessFigures(pool: BrowserPool, siteUrl: string): Promise<readonly Figure[]> {
  const arrivals: Arrival[] = [];
  for (const path of Object.keys(appPages)) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const arrival = await pool.withTab(
        { skipTlsVerification: true },
        (tab) => arrive(tab, siteUrl + path),
        never,
      );
      arrivals.push(arrival);
      if (!arrival.isWhole) process.stderr.write(`too early: ${path}\n`);
    }
  }
  const early = arrivals.filter(({ isWhole }) => !isWhole).length;
  const lateness = arrivals.map(({ latenessMs }) => latenessMs).sort((a, b) => a - b);
  const medianMs = lateness[Math.floor(lateness.length / 2)] ?? 0;
  return [
    {
      name: `pages captured too early, of ${arrivals.length}`,
      value: String(early),
      limit: "0",
      isMet: early === 0,
    },
    {
      name: "smart wait, median lateness after the true moment",
      value: `${medianMs.toFixed(0)} ms`,
      limit: "≤ 300 ms",
      isMet: medianMs <= 300,
    },
  ];
}

async function arrive(tab: BrowserTab, url: string): Promise<Arrival> {
  const readiness = watchReadiness(tab);
  await tab.navigate(url, never);
  await readiness.ready(never, { budgetMs: 8000 });
  const expression = "performance.now() - window.readyAt";
  const { result } = await tab.session.send("Runtime.evaluate", { expression, returnByValue: true });
  const { html } = await readHtml(tab, never);
  return { isWhole: html.includes("<p>END OF CONTENT</p>"), latenessMs: Number(result.value ?? 0) };
}
