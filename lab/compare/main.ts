import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { markdownTools } from "../bench/content.ts";
import { defuddlePages, readabilityPages, type Reference } from "../corpora/pages.ts";
import { ownPages } from "../quality/own-pages.ts";
import { compareCrawls, crawlGroups, type CrawlResult } from "./crawls.ts";
import { convertPages, type PageResult } from "./pages.ts";

/**
 * `npm run lab -- compare [--data FOLDER] [--pages N]`: other tools beside this one on the same data and machine, written into
 * docs/benchmarks.md. FOLDER holds the sources of readability and defuddle, whose tests are two of the sets; without it they
 * are cloned.
 */
const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/compare");
const PAGE = join(ROOT, "docs/benchmarks.md");
const SOURCES = {
  readability: "https://github.com/mozilla/readability",
  defuddle: "https://github.com/kepano/defuddle",
};
const SCRAPY = "scrapy==2.19.0";

const { values } = parseArgs({ options: { data: { type: "string" }, pages: { type: "string", default: "40" } } });

const left: string[] = [];
const sets = collectSets();
const tools = await markdownTools();
const rows: { readonly set: string; readonly count: number; readonly results: readonly PageResult[] }[] = [];
for (const [set, pages] of sets) {
  const results: PageResult[] = [];
  for (const tool of tools) {
    const result = await convertPages(tool, pages);
    if (result) results.push(result);
    else left.push(`${tool.name} on ${set}: it did not start, or took longer than ten minutes`);
  }
  results.sort((one, other) => other.f1 - one.f1);
  rows.push({ set, count: pages.length, results });
  for (const { tool, f1, cpuMsPerPage } of results)
    process.stdout.write(`${set.padEnd(12)} ${tool.padEnd(22)} ${f1.toFixed(3)}  ${cpuMsPerPage.toFixed(1)} ms\n`);
}
const crawls = await compareCrawls(installScrapy(), left);
for (const crawl of crawls) process.stdout.write(`${JSON.stringify(crawl.found)} ${crawl.tool}\n`);
writeFileSync(PAGE, pageText());

function collectSets(): readonly (readonly [string, readonly Reference[]])[] {
  const own = ownPages().map(({ id, url, markdown, html }) => ({
    name: id,
    url,
    markdown,
    title: "",
    html: Buffer.from(html()),
  }));
  const folders = Object.keys(SOURCES).map((name) => [name, folderOf(name as keyof typeof SOURCES)] as const);
  const readers = { readability: readabilityPages, defuddle: defuddlePages };
  return [
    ["own", own],
    ...folders.flatMap(([name, folder]) =>
      folder ? [[name, spread([...readers[name as keyof typeof readers](folder)])] as const] : [],
    ),
  ];
}

/** So many pages, from all over the set. */
function spread(pages: readonly Reference[]): readonly Reference[] {
  const every = Math.max(1, pages.length / Number(values.pages));
  return pages.filter((_, index) => Math.floor(index / every) > Math.floor((index - 1) / every));
}

function folderOf(name: keyof typeof SOURCES): string | undefined {
  const place = join(values.data ?? CACHE, name);
  if (existsSync(place)) return place;
  try {
    mkdirSync(CACHE, { recursive: true });
    execFileSync("git", ["clone", "--quiet", "--depth=1", SOURCES[name], place], { stdio: "pipe" });
    return place;
  } catch {
    left.push(`the set of ${name}: ${SOURCES[name]} could not be cloned`);
    return undefined;
  }
}

function installScrapy(): string | undefined {
  const python = join(CACHE, "python/bin/python");
  try {
    if (!existsSync(python)) execFileSync("python3", ["-m", "venv", join(CACHE, "python")], { stdio: "pipe" });
    execFileSync(python, ["-m", "pip", "install", "--quiet", SCRAPY], { stdio: "pipe" });
    return python;
  } catch {
    left.push(`${SCRAPY}: pip could not install it`);
    return undefined;
  }
}

function pageText(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const peers = JSON.parse(readFileSync(join(ROOT, "lab/bench/peers/package.json"), "utf8")) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const used = Object.entries(peers.dependencies).map(([name, one]) => `${name} ${one}`);
  const [{ model } = { model: "" }] = cpus();
  return `# Benchmarks beside other tools

HTML to Markdown and whole crawls, beside other tools. \`npm run lab -- compare\` installs them at these versions, runs all on the same data, one after the other, and writes this page. Losses
stand beside wins: each table is sorted by its figure.

Written ${new Date().toISOString().slice(0, 10)} by \`npm run lab -- compare --pages ${values.pages}\` on ${cpus().length} processors (${model.trim()}), ${Math.round(totalmem() / 1e9)} GB of memory, Node ${process.versions.node}, with other work beside it.
Versions: pergamon ${version}, ${used.join(", ")},
trafilatura 2.3.1, ${SCRAPY.replace("==", " ")}.

## HTML to Markdown

F1 of words between a tool's Markdown and the reference, mean over pages; processor time per page, and memory of the process
after the last page. **Whose references they are matters**: \`own\` are a dozen pages of this project with Markdown by a person; those of
\`readability\` and \`defuddle\` are what these two tools give themselves, so that each leads its own set or nearly so.

${rows.map(setTable).join("\n\n")}

Processor time is counted in hundredths of a second, so that few pages say little of the fastest.

## Completeness of a crawl

A site on this machine of ${Object.values(crawlGroups).reduce((sum, one) => sum + one, 0)} pages, which are found in different ways. Scrapy runs as its documentation shows it: rules for all links, and a
spider for the sitemap; its pages are only fetched, those of pergamon are read and written as Markdown, in a browser where a page needs one.

| Tool | ${Object.entries(crawlGroups).map(([group, count]) => `${group} (${count})`).join(" | ")} | Requests | Forbidden ones | Seconds | Processor seconds | Memory |
|---|${"---|".repeat(Object.keys(crawlGroups).length + 5)}
${crawls.map(crawlRow).join("\n")}

## Not compared

Crawl4AI (its install brings a browser of its own by a download), fastCRW (hundreds of crates to build), and docling are not run by this command. Documents beside liteparse:
\`npm run bench -- document-library\`. Figures on labelled data: [quality](../lab/quality/README.md).${left.length > 0 ? `\n\nLeft out on this machine: ${left.join("; ")}.` : ""}
`;
}

function setTable({ set, count, results }: (typeof rows)[number]): string {
  const lines = results.map(
    ({ tool, f1, cpuMsPerPage, megabytes }) =>
      `| ${tool} | ${f1.toFixed(3)} | ${cpuMsPerPage.toFixed(1)} ms | ${Math.round(megabytes)} MB |`,
  );
  return `| \`${set}\`, ${count} pages | F1 | Processor time a page | Memory |\n|---|---|---|---|\n${lines.join("\n")}`;
}

function crawlRow({ tool, found, requests, forbidden, seconds, cpuSeconds, maxMegabytes }: CrawlResult): string {
  const groups = Object.keys(crawlGroups).map((group) => found[group]);
  return `| ${tool} | ${groups.join(" | ")} | ${requests} | ${forbidden} | ${seconds.toFixed(1)} | ${cpuSeconds.toFixed(1)} | ${Math.round(maxMegabytes)} MB |`;
}
