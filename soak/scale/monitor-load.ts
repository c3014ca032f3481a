import { setTimeout as sleep } from "node:timers/promises";

import { type Arena, LOOK_EVERY_MS, PLENTY, type Round, RUN_LIMIT_MS } from "./arena.ts";
import { askOnce, chargesOf, newTeam, read } from "./client.ts";

const PAGES = 10;

interface Made {
  readonly id?: string;
  readonly data?: { readonly id: string };
}

interface Check {
  readonly data: {
    readonly status: string;
    readonly actualCredits: number;
    readonly pages: readonly { readonly url: string; readonly status: string }[];
  };
}

/** Has a monitor check its pages once. */
export async function checkMonitor({ cluster, site }: Arena): Promise<Round> {
  const team = await newTeam(cluster, PLENTY);
  const urls = Array.from({ length: PAGES }, () => site.newPage());
  const monitor = { name: "Watch", schedule: { cron: "0 0 1 1 *" }, targets: [{ type: "scrape", urls }] };
  const made = await askOnce<Made>(cluster, team, "POST /v2/monitor", monitor);
  const at = `/v2/monitor/${made?.body.data?.id}`;
  const begun = made?.body.data && (await askOnce<Made>(cluster, team, `POST ${at}/run`));
  // Without an answer nobody knows its id: the next round is another one.
  if (begun?.body.id === undefined) return { pages: 0, problems: [] };
  const path = `${at}/checks/${begun.body.id}`;
  for (const giveUpAtMs = performance.now() + RUN_LIMIT_MS; ;) {
    const { data } = await read<Check>(cluster, team, `${path}?limit=100`);
    if (!["queued", "running"].includes(data.status)) {
      const charges = await chargesOf(cluster, team);
      return { pages: data.pages.length, problems: problemsOf(path, data, urls, charges) };
    }
    if (performance.now() > giveUpAtMs) return { pages: 0, problems: [`${path} did not end.`] };
    await sleep(LOOK_EVERY_MS);
  }
}

function problemsOf(
  path: string,
  check: Check["data"],
  urls: readonly string[],
  charges: ReadonlyMap<string, number>,
): readonly string[] {
  const found = check.pages.map(({ url, status }) => `${url} ${status}`).toSorted();
  const wanted = urls.map((url) => `${url} new`).toSorted();
  const charged = [...charges.values()].reduce((sum, amount) => sum + amount, 0);
  const problems: string[] = [];
  if (check.status !== "completed") problems.push(`${path} ended as ${check.status}.`);
  if (found.join() !== wanted.join()) problems.push(`${path} has the pages ${found.join(", ")}.`);
  if (charged !== PAGES || check.actualCredits !== PAGES)
    problems.push(`${path}: ${PAGES} pages cost ${charged}; it says ${check.actualCredits}.`);
  return problems;
}
