import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const GUIDE = readFileSync(join(REPOSITORY, "CONTRIBUTING.md"), "utf8");
const COPIED = [
  "lab",
  "bin",
  "scripts",
  "packages",
  "test",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
];

/** As deep in its folder as the copy of it is, as its paths are relative. */
const KNOWN_TYPES = "node_modules/.cache/types/service.tsbuildinfo";

/** What somebody adds: a file of its own, and its name in the table of its kind. */
interface Addition {
  readonly files: Readonly<Record<string, string>>;
  readonly table: string;
  /** What stands in the table → what stands there afterwards. */
  readonly edits: readonly (readonly [string, string])[];
}

/** The example of a section in CONTRIBUTING.md: a file, and a line for a table. */
function exampleOf(heading: string) {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const [, text = "", line = ""] = section.split(/```ts\n/).map((part) => part.split("```")[0] ?? "");
  const [path = "", table = ""] = [...section.matchAll(/`(packages\/[\w/-]+\.ts)`/g)].map(
    ([, name = ""]) => name,
  );
  expect([path, table, text, line]).not.toContain("");
  return { files: { [path]: text }, table, line };
}

const guidedFormat = exampleOf("Add a format");
const format: Addition = { ...guidedFormat, edits: [["$", guidedFormat.line]] };

const guidedOperation = exampleOf("Add an operation");
const operation: Addition = {
  ...guidedOperation,
  edits: [
    ["^", 'import { running } from "../accounts/running-operation.ts";\n'],
    ["  group\\(scraping,", `${guidedOperation.line}  group(scraping,`],
  ],
};

const kind: Addition = {
  files: {
    "packages/server/src/fetch/file-kinds/cards.ts": `import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { defineKind } from "./kind.ts";

export const cards = defineKind({
  name: "cards",
  recognisedBy: { types: ["application/x-cards"], isBinary: false },
  inBrowser: "not-shown",
  read({ body }, { stage }) {
    const lines = Buffer.from(body).toString("utf8").trim().split(";");
    const html = lines.map((line) => \`<p>\${line}</p>\`).join("");
    return {
      markdown: () => lines.map((line) => \`- \${line}\`).join("\\n"),
      html: () => html,
      metadata: () => ({ title: lines[0] ?? "" }),
      tree: stage("parse", () => parseHtml(html)),
    };
  },
});
`,
    "packages/server/src/fetch/file-kinds/cards.test.ts": `import { expect, test } from "vitest";

import { openWorld } from "../../../../../test/world.ts";

test("a file of the added kind is scraped", async () => {
  const world = await openWorld();
  const url = world.site.page("/people.cards", (_request, response) => {
    response.writeHead(200, { "content-type": "application/x-cards" });
    response.end("Ann;Bob");
  });
  const { body } = await world.scrape({ url, formats: ["markdown"] });
  expect(body).toMatchObject({ success: true, data: { markdown: "- Ann\\n- Bob", metadata: { title: "Ann" } } });
  await world.close();
});
`,
  },
  table: "packages/server/src/fetch/file-kinds/all.ts",
  edits: [
    ["^", 'import { cards } from "./cards.ts";\n'],
    ["unsupported\\];", "cards, unsupported];"],
  ],
};

const store: Addition = {
  files: {
    "packages/server/src/history/notes.ts": `import type { TeamData } from "../storage/team-data.ts";

export interface Notes extends TeamData {
  add(teamId: string, text: string): void;
  readonly texts: readonly string[];
}

export function openNotes(): Notes {
  let notes: readonly { readonly teamId: string; readonly text: string }[] = [];
  return {
    add: (teamId, text) => void (notes = [...notes, { teamId, text }]),
    get texts() {
      return notes.map(({ text }) => text);
    },
    async erase(teamId) {
      notes = notes.filter((note) => note.teamId !== teamId);
    },
    async prune() {
      notes = notes.filter(({ text }) => text !== "old");
    },
  };
}
`,
    "packages/server/src/history/notes.test.ts": `import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readConfig } from "../config/config.ts";
import { openLog } from "@pergamon-dev/kit/log/log";
import { Resources } from "@pergamon-dev/kit/resources";
import { HeldBodies } from "../api/held-bodies.ts";
import { openStorage } from "../storage/open.ts";
import { openHistory } from "./open.ts";

test("what the added store has of a team is erased with the team, and what is old is pruned", async () => {
  const config = readConfig({ DATA_DIR: await mkdtemp(join(tmpdir(), "notes-")), LOG_LEVEL: "silent" });
  const resources = new Resources();
  const bodies = new HeldBodies(config.server.bodyMemoryBytes);
  const context = { config, log: await openLog(config.logging), resources, bodies, kinds: [] };
  const storage = await openStorage(context);
  const { notes } = openHistory({ ...context, ...storage, vectorOf: async () => "" });
  notes.add("a", "of a");
  notes.add("b", "old");
  notes.add("b", "of b");
  await storage.teamData.prune();
  expect(notes.texts).toEqual(["of a", "of b"]);
  await storage.teamData.erase("a");
  expect(notes.texts).toEqual(["of b"]);
  await resources.close();
});
`,
  },
  table: "packages/server/src/history/open.ts",
  edits: [
    ["^", 'import { openNotes } from "./notes.ts";\n'],
    ["    records: teamData", "    notes: teamData.add(openNotes()),\n    records: teamData"],
  ],
};

const folder = testFolder();

beforeAll(async () => {
  await Promise.all(
    COPIED.map((name) => cp(join(REPOSITORY, name), join(folder, name), { recursive: true })),
  );
  await linkPackages();
  for (const addition of [format, operation, kind, store]) await add(addition);
});

/** Those of others as they are installed, ours as they are copied. */
async function linkPackages(): Promise<void> {
  await mkdir(join(folder, "node_modules/@pergamon-dev"), { recursive: true });
  const installed = (await readdir(join(REPOSITORY, "node_modules"))).filter(
    (name) => name !== "@pergamon-dev",
  );
  const links = installed.map(
    (name) => [join(REPOSITORY, "node_modules", name), `node_modules/${name}`] as const,
  );
  const ours = (await readdir(join(folder, "packages"))).map(
    (name) => [join(folder, "packages", name), `node_modules/@pergamon-dev/${name}`] as const,
  );
  await Promise.all([...links, ...ours].map(([target, name]) => symlink(target, join(folder, name))));
}

async function add({ files, table, edits }: Addition): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  let text = await readFile(join(folder, table), "utf8");
  for (const [before, after] of edits) {
    expect(text).toMatch(new RegExp(before));
    text = text.replace(new RegExp(before), () => after);
  }
  await writeFile(join(folder, table), text);
}

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const tool = join(REPOSITORY, "node_modules", program);
  // Nothing of the test runner that this test runs in.
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const ran = promisify(execFile)(process.execPath, [tool, ...args], { cwd: folder, env, timeout: 200_000 });
  return ran.then(
    () => "good",
    (failure: { readonly stdout: string }) => failure.stdout,
  );
}

test("a format, an operation, a kind of file and a store are each a file and its name in a table: no type wants more", async () => {
  // What a check has found out about the other files is known already; without one, all types are worked out.
  const known = join(folder, "known", "types", "so-far", "service.tsbuildinfo");
  await cp(join(REPOSITORY, KNOWN_TYPES), known).catch(() => undefined);
  const keeping = ["--incremental", "--tsBuildInfoFile", known, "--checkers", "1"];
  expect(await run("typescript/bin/tsc", "--noEmit", "-p", ".", ...keeping)).toBe("good");
}, 400_000);

test("each does its work, and no test that lists the others fails", async () => {
  const tests = [
    "packages/server/src/scrape/request/price.test.ts",
    "packages/server/src/scrape/request/schema.test.ts",
    "test/new-format.test.ts",
    "packages/server/src/fetch/file-kinds/cards.test.ts",
    "packages/server/src/fetch/file-kinds/detect.test.ts",
    "packages/server/src/fetch/file-kinds/kinds.test.ts",
    "packages/server/src/history/notes.test.ts",
  ];
  expect(await run("vitest/vitest.mjs", "run", "--project", "test", "--maxWorkers", "1", ...tests)).toBe(
    "good",
  );
}, 400_000);
