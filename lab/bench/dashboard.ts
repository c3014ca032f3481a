import { benchFirstRun } from "./dashboard/first-run.ts";
import { benchOverview } from "./dashboard/overview.ts";
import { benchPages } from "./dashboard/pages.ts";
import { benchViewers } from "./dashboard/viewers.ts";
import type { Figure } from "./report.ts";

/** What the operator's pages cost: to load, to use, and to keep open. */
export async function benchDashboard(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const bench of [benchOverview, benchViewers, benchPages, benchFirstRun])
    figures.push(...(await bench()));
  return figures;
}
