import { setTimeout as sleep } from "node:timers/promises";

import { type Arena, LOOK_EVERY_MS, PLENTY, type Round, RUN_LIMIT_MS } from "./arena.ts";
import { askOnce, chargesOf, newTeam, read } from "./client.ts";

const PAGES = 10;
/** A page that three nodes died with is reported as an error that says so. */
const GIVEN_UP = "in three attempts";

interface Made {
  readonly id?: string;
  readonly data?: { readonly id: string };
}

interface Check {
  readonly data: {
    readonly status: string;
    readonly actualCredits: number;
    readonly pages: readonly {
      readonly url: string;
      readonly status: string;
      readonly error: string | null;
    }[];
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
  // Without an answer its id is unknown: the next round is another one.
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
  const givenUp = check.pages.filter(({ error }) => error?.includes(GIVEN_UP) === true);
  const found = check.pages
    .filter((page) => !givenUp.includes(page))
    .map(({ url, status }) => `${url} ${status}`);
  const wanted = urls.filter((url) => !givenUp.some((page) => page.url === url)).map((url) => `${url} new`);
  const charged = [...charges.values()].reduce((sum, amount) => sum + amount, 0);
  const problems: string[] = [];
  if (check.status !== "completed" && givenUp.length === 0)
    problems.push(`${path} ended as ${check.status}.`);
  if (found.toSorted().join() !== wanted.toSorted().join())
    problems.push(`${path} has the pages ${found.join(", ")}.`);
  if (charged !== wanted.length || check.actualCredits !== wanted.length)
    problems.push(`${path}: ${wanted.length} pages cost ${charged}; it says ${check.actualCredits}.`);
  return problems;
}
