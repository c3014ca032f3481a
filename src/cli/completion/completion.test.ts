import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { wordsOf } from "./words.ts";
import { zshCompletion } from "./zsh.ts";

let folder: string;

const cli = new Command("demo").version("1");
cli
  .command("scrape")
  .description("Print it's pages. More is not said.")
  .option("-o, --output <path>", "Where: here.")
  .addOption(new Option("-f, --format <names>", "What.").choices(["markdown", "html"]));
const keys = cli.command("keys").description("Keys.");
keys.command("create").option("--name <name>", "a name");
keys.command("revoke");

/** How each shell completes the last word of a line: it prints the candidates, one a line. */
const shells = {
  bash: {
    script: bashCompletion,
    ask: (script: string, words: readonly string[]) => [
      "-c",
      `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _demo; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
  },
  zsh: {
    script: zshCompletion,
    // Completion itself needs a terminal; what would be offered is printed instead.
    ask: (script: string, words: readonly string[]) => [
      "-fc",
      `compdef() { }; _files() { print -l *; }; compadd() { shift; print -l -- $@; }
       _describe() { print -l -- \${(@)found%%:*}; }; source ${script}
       words=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}; _demo`,
    ],
  },
  fish: {
    script: fishCompletion,
    ask: (script: string, words: readonly string[]) => [
      "--no-config",
      "-c",
      `source ${script}; complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''; true`,
    ],
  },
} as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "completion-"));
  await writeFile(join(folder, "page.md"), "");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(Object.entries(shells))("completion of %s", (name, { script, ask }) => {
  const isThere = spawnSync(name, ["--version"]).status === 0;

  test.skipIf(!isThere).each([
    [["demo", "sc"], ["scrape"], ["keys"]],
    [["demo", "scrape", "--"], ["--output", "--format"], ["--name"]],
    [["demo", "scrape", "https://a.test/", "--"], ["--output"], []],
    [["demo", "scrape", "--format", ""], ["markdown", "html"], ["--output"]],
    [["demo", "scrape", "-o", "pa"], ["page.md"], ["--output"]],
    [["demo", "keys", ""], ["create", "revoke"], ["scrape"]],
    [["demo", "keys", "create", "--"], ["--name"], ["--output"]],
  ])("%j offers %j, and not %j", async (words, offered, withheld) => {
    const path = join(folder, `demo.${name}`);
    await writeFile(path, script("demo", wordsOf(cli)));
    const { stdout, stderr } = await promisify(execFile)(name, ask(path, words), { cwd: folder });
    // zsh itself leaves out what does not begin like the word.
    const found = stdout.split("\n").filter((candidate) => candidate.startsWith(words.at(-1) ?? ""));
    expect(stderr).toBe("");
    expect(found).toEqual(expect.arrayContaining(offered));
    for (const word of withheld) expect(found).not.toContain(word);
  });
});
