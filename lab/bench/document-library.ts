import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { needSet } from "../sets.ts";
import type { Figure } from "./report.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/bench-documents");
const LITEPARSE = "@llamaindex/liteparse@2.14.7";

/** One page each with text, headings and tables, and tables of government reports. */
const GROUPS = "layout,tables";
/** A peer is compared where it reads the text that a file has: with OCR the engine decides. */
const MODE = "fast";

/** What the scoring tool writes. */
interface Scored {
  readonly summary: {
    readonly layout: Readonly<Record<"overall" | "nid" | "teds" | "mhs", number>>;
    readonly tables: { readonly teds: number };
  };
  readonly results: readonly { readonly pages: number; readonly wallMs: number }[];
}

/** The library packages/documents, built as it is published, beside liteparse on the labelled documents. */
export async function benchDocumentLibrary(): Promise<readonly Figure[]> {
  const folder = needSet("documents");
  mkdirSync(CACHE, { recursive: true });
  cpSync(join(import.meta.dirname, "peers"), CACHE, { recursive: true });
  const build = join(ROOT, "scripts/build-library.mjs");
  const documents = join(ROOT, "packages/documents");
  execFileSync(process.execPath, [build], { cwd: documents, stdio: "inherit" });
  if (!existsSync(join(CACHE, "node_modules/@llamaindex"))) {
    const how = ["install", "--ignore-scripts", "--no-save", "--no-package-lock", LITEPARSE];
    execFileSync("npm", how, { cwd: CACHE, stdio: "pipe" });
  }
  print(`${"".padEnd(12)} ms/page  overall    order   tables headings   ICDAR`);
  const library = pathToFileURL(join(documents, "dist/index.js")).href;
  const ours = score("pergamon-documents", folder, { library });
  const peer = score("liteparse", folder, {});
  return [
    {
      name: "documents, overall beside liteparse",
      value: `${ours.summary.layout.overall.toFixed(3)}, ${peer.summary.layout.overall.toFixed(3)}`,
      limit: "better",
      isMet: ours.summary.layout.overall > peer.summary.layout.overall,
    },
  ];
}

function score(adapter: string, folder: string, options: object): Scored {
  const out = join(CACHE, `${adapter}.json`);
  const tool = [join(folder, "tool/run.mjs"), "--adapter", join(CACHE, `${adapter}.mjs`)];
  const how = ["--groups", GROUPS, "--mode", MODE, "--opts", JSON.stringify(options), "--out", out];
  execFileSync(process.execPath, [...tool, ...how], { stdio: "pipe" });
  const scored = JSON.parse(readFileSync(out, "utf8")) as Scored;
  const { layout, tables } = scored.summary;
  const ms = sum(scored.results.map(({ wallMs }) => wallMs)) / sum(scored.results.map(({ pages }) => pages));
  const figures = [layout.overall, layout.nid, layout.teds, layout.mhs, tables.teds];
  const cells = figures.map((figure) => figure.toFixed(3).padStart(8));
  print(`${adapter.slice(0, 12).padEnd(12)} ${ms.toFixed(1).padStart(7)} ${cells.join(" ")}`);
  return scored;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
