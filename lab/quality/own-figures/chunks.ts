import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

import { retrievalChunks } from "../../../packages/facts/src/answers/retrieval-chunks.ts";
import { htmlToMarkdown } from "../../../packages/html/src/index.ts";
import { countTokens } from "../../../packages/kit/src/count-tokens.ts";
import { labData } from "../../sets.ts";

const MAX_TOKENS = 512;
const LEAST_AT_HEADINGS = 0.95;

interface Block {
  readonly kind: "table" | "code";
  readonly start: number;
  readonly end: number;
}

/** Chunks of labelled pages: tables and code that are cut though they fit, and boundaries that pass a heading. */
export async function judgeChunks(): Promise<boolean> {
  const options = { data: { type: "string" }, verbose: { type: "boolean" } } as const;
  const { values } = parseArgs({ options, args: process.argv.slice(3) });
  const counts = { pages: 0, chunks: 0, blocks: 0, cut: 0, large: 0, boundaries: 0, headings: 0, passed: 0 };
  for (const { id, html } of pagesIn(resolve(values.data ?? labData()))) {
    const markdown = htmlToMarkdown(html, { url: "https://site.test/page" });
    const chunks = retrievalChunks(markdown, { maxTokens: MAX_TOKENS, url: id });
    const starts = chunks.slice(1).map(({ span }) => span[0]);
    const { blocks, headings } = partsOf(markdown);
    const isWithin = ({ start, end }: Block) => starts.some((at) => at > start && at < end);
    for (const block of blocks.filter(isWithin)) {
      const isLarge = countTokens(markdown.slice(block.start, block.end)) > MAX_TOKENS;
      counts.large += Number(isLarge);
      counts.cut += Number(!isLarge);
      if (values.verbose && !isLarge) console.log(id, block.kind, JSON.stringify(markdown.slice(block.start, block.start + 80)));
    }
    for (const [index, at] of starts.entries()) {
      const [from = 0] = chunks[index]?.span ?? [];
      const atHeading = headings.some((heading) => markdown.slice(at, heading).trim() === "" && heading >= at);
      // Text before the first heading of a chunk, or a heading with nothing before it, leave no place to end at.
      const hasPassed = headings.some((heading) => heading < at && markdown.slice(from, heading).trim() !== "" && !isLead(markdown.slice(from, heading)));
      counts.headings += Number(atHeading);
      counts.passed += Number(!atHeading && hasPassed);
    }
    counts.pages += 1;
    counts.chunks += chunks.length;
    counts.blocks += blocks.length;
    counts.boundaries += starts.length;
  }
  const reachable = 1 - counts.passed / Math.max(1, counts.boundaries);
  console.log(`chunks: ${counts.chunks} of ${counts.pages} pages, at most ${MAX_TOKENS} tokens`);
  console.log(`tables and code cut          ${counts.cut} of ${counts.blocks}, target 0 (${counts.large} are larger than a chunk)`);
  console.log(`boundaries at headings       ${reachable.toFixed(3)} where there is one to end at, target ${LEAST_AT_HEADINGS} (${(counts.headings / Math.max(1, counts.boundaries)).toFixed(3)} of all)`);
  return counts.pages > 0 && counts.cut === 0 && reachable >= LEAST_AT_HEADINGS;
}

/** Headings alone. */
function isLead(text: string): boolean {
  return text.split("\n").every((line) => line.trim() === "" || /^#{1,6}\s/.test(line));
}

/** Tables, fenced code and headings, found by their lines alone. */
function partsOf(markdown: string) {
  const blocks: Block[] = [];
  const headings: number[] = [];
  let [open, at]: [(Block & { readonly fence?: string }) | undefined, number] = [undefined, 0];
  for (const line of markdown.split("\n")) {
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const end = at + line.length;
    if (open?.fence !== undefined) {
      open = { kind: open.kind, fence: open.fence, start: open.start, end };
      if (line.trim() === open.fence) {
        blocks.push(open);
        open = undefined;
      }
    } else {
      const isRow = /^\s*\|.*\|\s*$/.test(line);
      if (open && !isRow) {
        blocks.push(open);
        open = undefined;
      }
      if (isRow) open = { kind: "table", start: open?.start ?? at, end };
      else if (fence !== undefined) open = { kind: "code", fence, start: at, end };
      else if (/^#{1,6}\s/.test(line)) headings.push(at);
    }
    at = end + 1;
  }
  if (open) blocks.push(open);
  return { blocks, headings };
}

function* pagesIn(data: string) {
  const folder = join(data, "extraction/data/dev/html");
  for (const file of existsSync(folder) ? readdirSync(folder) : [])
    if (file.endsWith(".html.gz")) yield { id: file, html: gunzipSync(readFileSync(join(folder, file))).toString() };
}
