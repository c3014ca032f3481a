import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Command } from "commander";
import { expect, test } from "vitest";

import * as commands from "../packages/server/src/app/commands.ts";
import { operations } from "./operations.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGES = ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);

/** Commands of the blocks of all pages, each in one line. */
const lines = PAGES.flatMap((page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```(?:sh|bash)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, " ")
      .replaceAll(/'([^']*)'/g, (quoted) => quoted.replaceAll(/\n\s*/g, " "))
      .split("\n")
      .map((line) => [page, line] as const),
  );
});

const requests = lines.filter(([, line]) => /curl .*\/v2\/[a-z/]+ .*-d '\{/.test(line));

test.each(requests)("%s shows a request that is accepted: %s", (_page, line) => {
  const path = /\/v2\/[a-z/-]+/.exec(line)?.[0];
  const body = JSON.parse(/-d '(\{.*?\})'(?:\s|$|\))/.exec(line)?.[1] ?? "") as object;
  const operation = operations.find((one) => one.line === `POST ${path}`);
  const shapes = [operation?.body, operation?.or?.body].filter((shape) => shape !== undefined);
  expect(shapes.length).toBeGreaterThan(0);
  const failures = shapes.map(({ schema, documented = schema }) => documented.safeParse(body).error);
  expect(failures).toContain(undefined);
});

const cli = new Command("pergamon");
for (const addCommand of Object.values(commands)) {
  addCommand(cli, () => {
    throw new Error("Nothing is run here.");
  });
}

const typed = lines.flatMap(([page, line]) =>
  [...line.matchAll(/npx pergamon ((?:[^|>#;)'"\n]|"[^"]*"|'[^']*')+)/g)].map(
    ([, words = ""]) => [page, words.trim()] as const,
  ),
);

test.each(typed)("%s types a command with options that it has: %s", (_page, words) => {
  const parts = words.replaceAll(/"[^"]*"|'[^']*'/g, "text").split(/\s+/);
  const [name = ""] = parts;
  if (/[.:]/.test(name)) parts.unshift("scrape");
  let command = cli;
  for (const part of parts) {
    const next = command.commands.find((one) => one.name() === part);
    if (!next) break;
    command = next;
  }
  expect(command === cli && !name.startsWith("--")).toBe(false);
  const known = new Set([...command.options.map(({ long }) => long), "--help", "--version"]);
  const options = parts.filter((part) => part.startsWith("--")).map((part) => part.replace(/=.*/, ""));
  expect(options.filter((option) => !known.has(option))).toEqual([]);
});

test("there are requests and commands to look at", () => {
  expect(requests.length).toBeGreaterThan(10);
  expect(typed.length).toBeGreaterThan(20);
});

test("examples of threat policies need no classifier: without one, modes that ask it block every page", () => {
  const helps = cli.commands.flatMap(({ commands: inner }) => inner.map((one) => one.helpInformation()));
  const examples = operations.map(({ body, answer }) => [body, answer].map((shape) => Object(shape).example));
  const shown = `${JSON.stringify(examples)}${helps.join("")}`.match(/"mode":"(?:normal|manual-only)"/g);
  expect(new Set(shown)).toEqual(new Set(['"mode":"manual-only"']));
});
