import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

import { parseHtml } from "../../../packages/html/src/parser/parse.ts";
import { type HtmlTree, TEXT } from "../../../packages/html/src/parser/tree.ts";
import { cssPath } from "../../../packages/html/src/selection/css-path.ts";
import { textOf } from "../../../packages/facts/src/structured/text-of.ts";
import { computeHere } from "../../../packages/server/src/scrape/page/compute.ts";
import type { citationsIn } from "../../../packages/server/src/scrape/page/page-values.ts";
import type { PageSource } from "../../../packages/server/src/scrape/page/page.ts";
import { labData } from "../../sets.ts";

/** Values per page, spread over the page, at most half of which stand there once. */
const PER_PAGE = 12;
const MAX_VALUES = 2000;
const LEAST_CONTAINED = 0.98;
const LEAST_RIGHT = 0.95;
const TOKEN = "zq17zq";

interface Value {
  readonly text: string;
  readonly selector: string;
  /** Where the text begins in the Markdown. */
  readonly start: number;
}

/**
 * Places of values in the Markdown of labelled pages. A hint names the element of each value. Where its text really stands is
 * told by the Markdown of the same page with a token before this text.
 */
export async function judgeEvidence(): Promise<boolean> {
  const options = { data: { type: "string" }, verbose: { type: "boolean" } } as const;
  const { values } = parseArgs({ options, args: process.argv.slice(3) });
  const counts = { values: 0, contained: 0, right: 0, selected: 0 };
  for (const { id, html } of pagesIn(resolve(values.data ?? labData()))) {
    if (counts.values >= MAX_VALUES) break;
    const wanted = await valuesOf(html);
    const properties = wanted.map(({ selector }, at) => [`v${at}`, { type: "string", "x-selector": selector }]);
    const schema = { type: "object", properties: Object.fromEntries(properties) };
    const { markdown, citations } = await readPage(html, schema);
    for (const [at, { text, start, selector }] of wanted.entries()) {
      const [citation] = citations[`v${at}`] ?? [];
      const [from = -1, to = -1] = citation?.markdownSpan ?? [];
      const isContained = wordsIn(markdown.slice(from, to)).includes(wordsIn(text));
      const isRight = from <= start + 2 && start < to;
      counts.values += 1;
      counts.contained += Number(from >= 0 && isContained);
      counts.right += Number(isRight);
      counts.selected += Number(citation?.selector === selector);
      if (values.verbose && !(isContained && isRight))
        console.log(id, JSON.stringify(text), start, [from, to], JSON.stringify(markdown.slice(from, to)));
    }
  }
  const share = (count: number) => count / Math.max(1, counts.values);
  const [contained, right] = [share(counts.contained), share(counts.right)];
  console.log(`evidence: ${counts.values} values`);
  console.log(`spans that contain the value ${contained.toFixed(3)}, target ${LEAST_CONTAINED}`);
  console.log(`spans at the right place     ${right.toFixed(3)}, target ${LEAST_RIGHT}`);
  console.log(`selectors of the element     ${share(counts.selected).toFixed(3)}`);
  return contained >= LEAST_CONTAINED && right >= LEAST_RIGHT;
}

const URL_OF_PAGE = "https://site.test/page";
const OPTIONS = {
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  removesConsent: true,
  parsers: [],
  languages: [],
  acceptsAnyFile: false,
};

/** The Markdown of a page, and the places of the values of a schema. */
async function readPage(html: string, schema?: object) {
  const capture = { url: URL_OF_PAGE, body: Buffer.from(html), contentType: "text/html; charset=utf-8" };
  const source = { capture, file: { kind: "html", mimeType: "text/html" }, options: OPTIONS } as unknown as PageSource;
  const answer = computeHere(source, { stopwatch: () => undefined, signal: new AbortController().signal });
  const markdown = (await answer({ view: "markdown", args: [] })) as string;
  if (!schema) return { markdown, citations: {} };
  const { value } = (await answer({ view: "json", args: [{ schema }, URL_OF_PAGE] })) as { readonly value: unknown };
  const cited = { value, asked: { schema }, foundBy: "data" };
  const citations = (await answer({ view: "citations", args: [cited, URL_OF_PAGE] })) as ReturnType<typeof citationsIn>;
  return { markdown, citations };
}

/** Short texts of elements, those that the page repeats first. */
async function valuesOf(html: string): Promise<readonly Value[]> {
  const tree = parseHtml(html);
  const { markdown } = await readPage(html);
  const found = elementsWithText(tree).filter(({ text }) => markdown.includes(text));
  const times = new Map<string, number>();
  for (const { text } of found) times.set(text, (times.get(text) ?? 0) + 1);
  const repeated = spread(found.filter(({ text }) => (times.get(text) ?? 0) > 1), PER_PAGE / 2);
  const single = spread(found.filter(({ text }) => times.get(text) === 1), PER_PAGE - repeated.length);
  const values: Value[] = [];
  for (const { text, node } of [...repeated, ...single]) {
    const page = withToken(html, tree, node);
    if (!parseHtml(page).text(node + 1).includes(TOKEN)) continue;
    const marked = (await readPage(page)).markdown;
    const start = marked.indexOf(TOKEN);
    const isSame = start >= 0 && marked.replace(TOKEN, "") === markdown;
    if (isSame) values.push({ text, selector: cssPath(tree, node), start });
  }
  return values;
}

function elementsWithText(tree: HtmlTree) {
  const found: { readonly text: string; readonly node: number; readonly times?: number }[] = [];
  for (let node = 1; node < tree.size; node++) {
    const isLeaf = tree.tag[node] !== TEXT && tree.tag[node + 1] === TEXT && tree.end[node] === node + 2;
    const text = isLeaf ? textOf(tree, node, 200) : "";
    if (text.length >= 2 && text.length <= 80 && /[\p{L}\p{N}]/u.test(text)) found.push({ text, node });
  }
  return found;
}

function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]).flatMap(
    (item) => (item === undefined ? [] : [item]),
  );
}

/** The page with the token before the text of an element: its k-th `>text<`, as the tree counts them. */
function withToken(html: string, tree: HtmlTree, node: number): string {
  const raw = tree.text(node + 1);
  let before = 0;
  for (let other = 1; other < node + 1; other++) if (tree.tag[other] === TEXT && tree.text(other) === raw) before++;
  let at = -1;
  for (let count = 0; count <= before; count++) {
    at = html.indexOf(`>${raw}<`, at + 1);
    if (at < 0) return html;
  }
  const lead = raw.length - raw.trimStart().length;
  return html.slice(0, at + 1 + lead) + TOKEN + html.slice(at + 1 + lead);
}

function wordsIn(text: string): string {
  return (text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

function* pagesIn(data: string) {
  for (const folder of ["json/pages", "product/data/html", "extraction/data/dev/html"]) {
    const path = join(data, folder);
    const files = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".html.gz")) : [];
    for (const file of spread(files, 100))
      yield { id: file, html: gunzipSync(readFileSync(join(path, file))).toString() };
  }
}
