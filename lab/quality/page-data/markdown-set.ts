import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { needSet } from "../../sets.ts";
import { prepareTool } from "../extraction-tool.mjs";
import type { Figures } from "./labelled-sets.ts";
import { figuresOfOld, figuresOfRevised, type ReportTool } from "./markdown-figures.ts";

/** Where the labelled pages lie: with the tool, or kept aside in a folder of their own. */
interface Place {
  readonly scrape: string;
  readonly tools: string;
  readonly data: string | undefined;
}

/** The Markdown that the running service answers with, on the labels as they came and on those made again. */
export async function scoreMarkdown(place: Place): Promise<Figures> {
  const tool = prepareTool(needSet("extraction"));
  const report = (await import(pathToFileURL(join(dirname(tool), "report.mjs")).href)) as ReportTool;
  const results = mkdtempSync(join(tmpdir(), "pergamon-markdown-"));
  try {
    const old = await scoredPages(tool, results, place, []);
    const again = await scoredPages(tool, results, place, ["--truth", "revised"]);
    return [...figuresOfOld(report, old), ...figuresOfRevised(report, again)];
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

async function scoredPages(
  tool: string,
  results: string,
  { scrape, tools, data }: Place,
  truth: readonly string[],
): Promise<readonly unknown[]> {
  const set = data === undefined ? "dev" : "heldout";
  const folder = data === undefined ? join(tools, "extraction/data") : join(data, "extraction");
  if (!existsSync(join(folder, set))) return [];
  const where = ["--data", folder, "--set", set, "--out", results, "--name", "pergamon", "--quiet"];
  const child = spawn(process.execPath, [tool, "--scrape", scrape, ...where, ...truth], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the tool of the labelled pages ended with code ${code}`);
  const file = join(results, `pergamon.${set}${truth.length > 0 ? ".revised" : ""}.json`);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly pages: readonly unknown[] }).pages;
}
