import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { benchAccounts } from "./accounts.ts";
import { benchCached } from "./cached.ts";
import { startFixture } from "./fixture.ts";
import { type Contender, startContenders } from "./pages/contenders.ts";
import { engineFigures } from "./pages/engine.ts";
import { pageFigures, totalOf } from "./pages/figures.ts";
import { partFigures } from "./pages/parts.ts";
import { type Round, runRound } from "./pages/rounds.ts";
import { smallMachineFigures } from "./pages/small-machine.ts";
import type { Figure } from "./report.ts";
import { madeSample, type SamplePages, spreadSample } from "./sample.ts";
import { benchStart } from "./start.ts";
import { tinyPageFigure } from "./static.ts";

const PAGES = 200;
/** 5,000 pages. Of 600 pages, a new process still compiles most of its code; after 2,000 it is warm. */
const ALL_ROUNDS = 25;
const FIRST_ROUNDS = 3;
const WARM_FROM = 10;

interface PagesOptions {
  /** Another commit. */
  readonly against?: string | undefined;
  /** Fewer rounds tell less about pages of a warm process. */
  readonly rounds?: number | undefined;
}

/**
 * What pages cost in a new process and in one that has compiled its code, by kind of thread and by part, compared with the build
 * of another commit and the peer; and what answers cost that hardly have a page: cached ones, tiny ones, none at all.
 * @throws when the other commit cannot be built.
 */
export async function benchPages({ against, rounds = ALL_ROUNDS }: PagesOptions): Promise<readonly Figure[]> {
  const pages = spreadSample(PAGES) ?? madeSample();
  const fixture = await startFixture(pages);
  try {
    return [
      ...(await ofPages(pages, fixture.url, { against, rounds })),
      ...(await partFigures(Object.keys(pages).map((path) => fixture.url + path))),
      ...(await benchCached()),
      ...(await benchAccounts()),
      await tinyPageFigure(),
      ...(await engineFigures()),
      ...(await smallMachineFigures(pages, fixture.url)),
      ...(await benchStart()),
    ];
  } finally {
    await fixture.stop();
  }
}

async function ofPages(
  pages: SamplePages,
  origin: string,
  { against, rounds: count }: { readonly against: string | undefined; readonly rounds: number },
): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "pergamon-threads-"));
  const contenders: Contender[] = [];
  try {
    for await (const contender of startContenders(folder, against)) contenders.push(contender);
    const rounds: (readonly Round[])[] = [];
    for (let round = 0; round < count; round += 1) {
      const results = await runRound(pages, origin, contenders);
      rounds.push(results);
      tellProgress(round, contenders, results);
    }
    const pagesPerRound = Object.keys(pages).length;
    return pageFigures({ contenders, rounds, pagesPerRound, firstRounds: FIRST_ROUNDS, warmFrom: WARM_FROM });
  } finally {
    await Promise.all(contenders.map(({ service }) => service.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** All rounds take many minutes: their progress and cost so far are printed. */
function tellProgress(round: number, contenders: readonly Contender[], results: readonly Round[]): void {
  const told = contenders.map(({ name }, index) => {
    const { times, megabytes = 0 } = results[index] ?? {};
    return `${name} ${totalOf(times).toFixed(2)} ms, ${megabytes.toFixed(0)} MB`;
  });
  process.stderr.write(`round ${round + 1}: ${told.join("; ")}\n`);
}
