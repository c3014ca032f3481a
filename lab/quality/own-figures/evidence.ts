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

/** Values per page, spread over the page, at least half of which stand there once. */
const PER_PAGE = 12;
const PAGES_PER_SET = 150;
const MAX_VALUES = 2000;
const LEAST_CONTAINED = 0.98;
const LEAST_RIGHT = 0.95;
const TOKEN = "zq17zq";

interface Value {
  readonly text: string;
  readonly selector: string;
  /** Where the text begins in the Markdown. */
  readonly start: number;
  /** True when the Markdown has this text once. */
  readonly isSingle: boolean;
}

interface Counts {
  readonly values: number;
  readonly contained: number;
  /** Of values whose place is known. */
  readonly placed: number;
  readonly right: number;
}

/**
 * Places of values in the Markdown of labelled pages: of values whose elements hints name, and of the same values as if a model
 * had said them, which knows no elements. Where a text really stands is told by the Markdown of the same page with a token
 * before this text. Of what a model says, only texts that the page has once have one right place.
 */
export async function judgeEvidence(): Promise<boolean> {
  const options = { data: { type: "string" }, verbose: { type: "boolean" } } as const;
  const { values } = parseArgs({ options, args: process.argv.slice(3) });
  const counts = { rules: { ...NONE }, models: { ...NONE } };
  let selected = 0;
  for (const { id, html } of pagesIn(resolve(values.data ?? labData()))) {
    if (counts.rules.values >= MAX_VALUES) break;
    const wanted = await valuesOf(html);
    const properties = wanted.map(({ selector }, at) => [`v${at}`, { type: "string", "x-selector": selector }]);
    const schema = { type: "object", properties: Object.fromEntries(properties) };
    const said = Object.fromEntries(wanted.map(({ text }, at) => [`v${at}`, text]));
    const { markdown, byRules, byModel } = await readPage(html, { schema, said });
    for (const [at, value] of wanted.entries()) {
      selected += Number(byRules[`v${at}`]?.[0]?.selector === value.selector);
      for (const [who, citations] of [["rules", byRules], ["models", byModel]] as const) {
        const { isContained, isRight, span } = judged(value, citations[`v${at}`]?.[0]?.markdownSpan, markdown);
        const hasPlace = who === "rules" || value.isSingle;
        const { values: all, contained, placed, right } = counts[who];
        counts[who] = {
          values: all + 1,
          contained: contained + Number(isContained),
          placed: placed + Number(hasPlace),
          right: right + Number(hasPlace && isRight),
        };
        if (values.verbose && !(isContained && (isRight || !hasPlace)))
          console.log(id, who, JSON.stringify(value.text), value.start, span, JSON.stringify(markdown.slice(...span)));
      }
    }
  }
  const results = (["rules", "models"] as const).map((who) => {
    const { values: all, contained, placed, right } = counts[who];
    const [holding, rightly] = [contained / Math.max(1, all), right / Math.max(1, placed)];
    console.log(`evidence of ${who}: ${all} values`);
    console.log(`spans that contain the value ${holding.toFixed(3)}, target ${LEAST_CONTAINED}`);
    console.log(`spans at the right place     ${rightly.toFixed(3)} of ${placed}, target ${LEAST_RIGHT}`);
    return holding >= LEAST_CONTAINED && rightly >= LEAST_RIGHT;
  });
  console.log(`selectors of the element     ${(selected / Math.max(1, counts.rules.values)).toFixed(3)}`);
  return results.every(Boolean);
}

const NONE: Counts = { values: 0, contained: 0, placed: 0, right: 0 };

function judged({ text, start }: Value, span: readonly [number, number] | undefined, markdown: string) {
  const [from, to] = span ?? [-1, -1];
  const isContained = from >= 0 && wordsIn(markdown.slice(from, to)).includes(wordsIn(text));
  return { isContained, isRight: from <= start + 2 && start < to, span: [from, to] as const };
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

/** The Markdown of a page, and the places of values: those of a schema, and those that a model says. */
async function readPage(html: string, asked?: { readonly schema: object; readonly said: object }) {
  const capture = { url: URL_OF_PAGE, body: Buffer.from(html), contentType: "text/html; charset=utf-8" };
  const source = { capture, file: { kind: "html", mimeType: "text/html" }, options: OPTIONS } as unknown as PageSource;
  const answer = computeHere(source, { stopwatch: () => undefined, signal: new AbortController().signal });
  const markdown = (await answer({ view: "markdown", args: [] })) as string;
  if (!asked) return { markdown, byRules: {}, byModel: {} };
  const { schema, said } = asked;
  const { value } = (await answer({ view: "json", args: [{ schema }, URL_OF_PAGE] })) as { readonly value: unknown };
  const cite = async (cited: object) =>
    (await answer({ view: "citations", args: [cited, URL_OF_PAGE] })) as ReturnType<typeof citationsIn>;
  const byRules = await cite({ value, asked: { schema }, foundBy: "data" });
  return { markdown, byRules, byModel: await cite({ value: said, foundBy: "model" }) };
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
    if (isSame) values.push({ text, selector: cssPath(tree, node), start, isSingle: markdown.split(text).length === 2 });
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
    for (const file of spread(files, PAGES_PER_SET))
      yield { id: file, html: gunzipSync(readFileSync(join(path, file))).toString() };
  }
}
