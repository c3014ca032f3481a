import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { parsePage } from "../../packages/html/src/index.ts";
import { Score } from "./score.ts";

/** A page and what its corpus says that its Markdown is. */
export interface Reference {
  readonly name: string;
  readonly html: Uint8Array;
  readonly url: string;
  /** References leave it out, where it is a heading. */
  readonly title: string;
  readonly markdown: string;
}

/** Compares the Markdown of pages with that of their corpus: words, and parts that the reference has. */
export function scorePages(pages: Iterable<Reference>, verbose: boolean): Score {
  const score = new Score(verbose);
  for (const { name, html, url, title, markdown } of pages) {
    const said = parsePage(html, { url, contentType: "text/html;charset=utf-8" }).markdown();
    const [given, wanted] = [said, markdown].map((one) => withoutTitle(one, title)) as [string, string];
    const f1 = sharedWords(said, { markdown, title });
    score.add("words F1", f1);
    if (verbose && f1 < 0.9) process.stdout.write(`  words F1: ${name} ${f1.toFixed(3)}\n`);
    const [ours, theirs] = [partsOf(given), partsOf(wanted)];
    for (const kind of KINDS) {
      const left = [...ours[kind]];
      for (const part of theirs[kind]) {
        const at = left.findIndex((one) => (kind === "note" ? squash(given).includes(part) : one === part));
        if (at >= 0 && kind !== "note") left.splice(at, 1);
        score.note(kind, at >= 0 || (kind === "note" && squash(given).includes(part)), `${name}: ${part}`);
      }
    }
  }
  return score;
}

/** F1 of the words of a page's Markdown and its reference. */
export function sharedWords(given: string, { markdown, title }: Pick<Reference, "markdown" | "title">): number {
  const [ours, theirs] = [given, markdown].map((one) => wordsOf(withoutTitle(one, title))) as [string[], string[]];
  return wordF1(ours, theirs);
}

/** The heading that is the title, or part of it, is no part of the content for these projects. */
function withoutTitle(markdown: string, title: string): string {
  const [line, heading = ""] = /^#{1,2} (.+)$/m.exec(markdown) ?? [];
  const isTitle = line !== undefined && squash(heading) !== "" && squash(title).includes(squash(heading));
  return isTitle ? markdown.replace(line, "") : markdown;
}

const KINDS = ["heading", "code", "language", "cell", "note", "formula"] as const;
type Parts = Record<(typeof KINDS)[number], string[]>;

const FENCE = /^([ >\t]*)(`{3,}|~{3,})([^\n`]*)\n([^]*?)^[ >\t]*\2[ \t]*$/gm;

function partsOf(markdown: string): Parts {
  const parts: Parts = { heading: [], code: [], language: [], cell: [], note: [], formula: [] };
  const prose = markdown.replace(FENCE, (_all, indent: string, _mark, info: string, body: string) => {
    const lines = body.split("\n").map((line) => line.slice(indent.length).trimEnd());
    parts.code.push(lines.join("\n").replace(/^\n+|\n+$/g, ""));
    if (info.trim() !== "") parts.language.push(info.trim().toLowerCase());
    return "";
  });
  for (const line of prose.split("\n")) {
    const [, heading] = /^[>\s]*#{1,6} (.+)/.exec(line) ?? [];
    if (heading !== undefined) parts.heading.push(squash(heading));
    const [, note] = /^\[\^[^\]]+\]: (.+)/.exec(line) ?? [];
    if (note !== undefined && squash(note) !== "") parts.note.push(squash(note));
    if (/^[>\s]*\|/.test(line) && !/^[|:\s>-]+$/.test(line))
      parts.cell.push(...line.split(/(?<!\\)\|/).map(squash).filter((cell) => cell !== ""));
  }
  for (const [, block, inline] of prose.matchAll(/\$\$([^$]+)\$\$|(?<![\\$\w])\$([^$\n]+)\$(?!\d)/g))
    parts.formula.push((block ?? inline ?? "").replace(UNSEEN_TEX, "").replace(/\\([ln])eq(?![a-z])/g, "\\$1e"));
  return parts;
}

/** What changes nothing of a formula but its looks. */
const UNSEEN_TEX = /\\(?:displaystyle|left|right|quad)(?![a-z])\.?|\\[,;!]|[\s{}]/g;

/** Where links and pictures lead, marks of notes, and pictures, which are none of the words. */
const UNREAD = /\]\((?:[^()\s]|\([^()\s]*\))*(?:\s"[^"]*")?\)|\[\^[^\]]+\]:?|!\[[^\]]*\]|<[^<>\n]*>/g;

/** In scripts that do not part words, each letter is one. */
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{N}])+/gu;

function wordsOf(markdown: string): readonly string[] {
  const plain = markdown.replace(UNREAD, " ").replace(/\\(.)/g, "$1");
  return plain.normalize("NFKC").toLowerCase().match(WORD) ?? [];
}

function squash(markdown: string): string {
  return wordsOf(markdown).join("");
}

function wordF1(given: readonly string[], wanted: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of given) {
    const count = left.get(word) ?? 0;
    if (count > 0) common++;
    left.set(word, count - 1);
  }
  return given.length + wanted.length === 0 ? 1 : (2 * common) / (given.length + wanted.length);
}

/** Pages of defuddle, beside the Markdown that it gives itself. */
export function* defuddlePages(folder: string): Iterable<Reference> {
  for (const file of htmlFiles(join(folder, "tests/fixtures"))) {
    const name = basename(file, ".html");
    const expected = join(folder, "tests/expected", `${name}.md`);
    if (!existsSync(expected)) continue;
    const html = readFileSync(file);
    const [, said] = /<!--\s*\{"url":\s*"([^"]+)"/.exec(html.toString("latin1", 0, 2000)) ?? [];
    const url = said ?? `https://${name.replace(/^[a-z]+--/, "")}`;
    const [, head = "{}", markdown = ""] =
      /^```json\n([^]*?)\n```\n([^]*)/.exec(readFileSync(expected, "utf8")) ?? [];
    yield { name, html, url, title: String(JSON.parse(head).title), markdown };
  }
}

/** Pages of readability, beside the HTML that it gives itself, as a whole. */
export function* readabilityPages(folder: string): Iterable<Reference> {
  const pages = join(folder, "test/test-pages");
  for (const name of readdirSync(pages).sort()) {
    const expected = readFileSync(join(pages, name, "expected.html"));
    const markdown = parsePage(expected, { contentType: "text/html;charset=utf-8", onlyMainContent: false }).markdown();
    const url = `http://fakehost/test/${name}.html`;
    const { title } = JSON.parse(readFileSync(join(pages, name, "expected-metadata.json"), "utf8"));
    yield { name, html: readFileSync(join(pages, name, "source.html")), url, title: String(title), markdown };
  }
}

/** HTML files of docling, beside the Markdown that it gives itself. */
export function* doclingPages(folder: string): Iterable<Reference> {
  const pages = join(folder, "tests/data/html");
  for (const file of htmlFiles(join(pages, "sources"))) {
    const name = basename(file);
    const expected = join(pages, "groundtruth", `${name}.md`);
    if (!existsSync(expected)) continue;
    const markdown = readFileSync(expected, "utf8");
    yield { name, html: readFileSync(file), url: `http://fakehost/${name}`, title: "", markdown };
  }
}

function htmlFiles(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".html"));
  return names.sort().map((name) => join(folder, name));
}
