import { hasGit, numbersFrom, openGit, randomPair } from "../../../packages/server/src/scrape/diff/by-git.suite.ts";
import { unifiedDiff } from "../../../packages/server/src/scrape/diff/unified-diff.ts";

const PAIRS = 200;
const LINES = 20_000;
const LIMIT_MS = 500;
const MAX_MS = 1000;
const MAX_SHARE = 1.05;

/** How many lines differences show beside git's, and how long large ones take. */
export function compareWithGit(): boolean {
  const share = hasGit ? shownBesideGit() : 1;
  console.log(
    hasGit ? `changed lines, beside git: ${(share * 100).toFixed(1)} %` : "git is not installed here",
  );
  const lines = Array.from({ length: LINES }, (_, at) => `line ${at}`);
  const random = numbersFrom(3);
  const versions: Readonly<Record<string, readonly string[]>> = {
    "a third changed": lines.map((line, at) => (at % 3 === 0 ? `${line} x` : line)),
    "all changed": lines.map((line) => `${line} x`),
    shuffled: lines.toSorted(() => random(3) - 1),
  };
  const times = Object.entries(versions).map(([name, after]) => {
    const start = process.cpuUsage();
    unifiedDiff({ before: lines.join("\n"), after: after.join("\n") }, LIMIT_MS);
    const { user, system } = process.cpuUsage(start);
    console.log(`${LINES} lines, ${name}: ${((user + system) / 1000).toFixed(0)} ms of CPU`);
    return (user + system) / 1000;
  });
  return share <= MAX_SHARE && times.every((time) => time <= MAX_MS);
}

/** Changed lines in differences of random pairs, as a share of those that git shows. */
function shownBesideGit(): number {
  const git = openGit();
  const random = numbersFrom(7);
  const pairs = Array.from({ length: PAIRS }, () => randomPair(random));
  const count = (text: string) => text.match(/^[-+]/gm)?.length ?? 0;
  const own = pairs.map(([before, after]) => count(unifiedDiff({ before, after }, LIMIT_MS)));
  const gits = pairs.map(([before, after]) => count(git.diff(before, after)));
  git.close();
  const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);
  return sum(own) / sum(gits);
}
