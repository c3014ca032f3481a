import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Differences as git shows them, in a folder of its own. */
export function openGit(): { diff(before: string, after: string): string; close(): void } {
  const folder = mkdtempSync(join(tmpdir(), "diff-"));
  return {
    diff: (before, after) => byGit(folder, before, after),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Hunks as git shows them, without what it tells of functions. */
function byGit(folder: string, before: string, after: string): string {
  const files = [join(folder, "before"), join(folder, "after")] as const;
  writeFileSync(files[0], before);
  writeFileSync(files[1], after);
  const args = ["diff", "--no-index", "--no-color", "--no-ext-diff", "-U3", ...files];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const { stdout } = spawnSync("git", args, { encoding: "utf8", env });
  return stdout
    .split("\n")
    .slice(4)
    .join("\n")
    .replaceAll(/^(@@ [^@]* @@).*$/gm, "$1");
}

/** The same numbers with every run. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const WORDS = "price shop order day time page news team open close red blue read more item list".split(" ");

/** Two versions of a text that repeats itself, with blank and indented lines, which can be compared in many ways. */
export function randomPair(random: (below: number) => number): readonly [string, string] {
  const words = (count: number) => Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(" ");
  const kinds = [
    () => "",
    () => "---",
    () => `- ${words(1)}`,
    () => `  - ${words(1)}`,
    () => words(2 + random(8)),
  ];
  const line = () => kinds[random(kinds.length)]?.() ?? "";
  const lines = (count: number) => Array.from({ length: count }, line);
  const before = lines(10 + random(80));
  const after = [...before];
  for (let edits = 1 + random(10); edits > 0; edits -= 1) {
    const at = random(after.length);
    const gone = after.splice(at, random(5));
    if (random(2) === 0) after.splice(at, 0, ...lines(random(4)));
    if (random(3) === 0) after.splice(random(after.length + 1), 0, ...gone);
  }
  const end = () => (random(3) === 0 ? "" : "\n");
  return [before.join("\n") + end(), after.join("\n") + end()];
}
