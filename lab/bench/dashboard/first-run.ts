import { firstRun } from "../../../test/dashboard/first-run.ts";
import type { Figure } from "../report.ts";

const LIMIT_SECONDS = 30;

/** How long a newcomer takes from the printed link to the first scrape with its screenshot, who never hesitates. */
export async function benchFirstRun(): Promise<readonly Figure[]> {
  const seconds = (await firstRun()).tookMs / 1000;
  return [
    {
      name: "first run: from the printed link to a scrape with its screenshot",
      value: `${seconds.toFixed(1)} s`,
      limit: `${LIMIT_SECONDS} s`,
      isMet: seconds <= LIMIT_SECONDS,
    },
  ];
}
