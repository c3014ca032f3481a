import { isEmpty, only, selectAll, type Selection, withSkipped } from "../selection/selection.ts";
import { adjustChances } from "./adjust.ts";
import { chooseBlocks } from "./choose.ts";
import { pageNumbers } from "./model/features-page.ts";
import { writeFeatures } from "./model/features.ts";
import { type Model, shippedModel } from "./model/model.ts";
import { type PageTables, readPage } from "./tables/page-tables.ts";
import { BATCH, Rows } from "./model/rows.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId, TEXT } from "../parser/tree.ts";
import { parseHtml } from "../parser/parse.ts";
import { findJsonTexts, type JsonText } from "./json-texts.ts";
import { hasText } from "../selection/scriptless.ts";

/**
 * Returns the main content of a selection, without navigation, headers, footers and other boilerplate. Never
 * empty for a selection that has text.
 */
export function selectMainContent(selection: Selection, pageUrl: string): Selection {
  const model = shippedModel();
  const embedded = embeddedContent(selection);
  if (embedded) return embedded;
  const page = readPage(selection, pageUrl, model.lexica);
  return keepContent(selection, page, judgeBlocks(page, model));
}

/** Keeps the blocks of a page that are likely to be content. */
export function keepContent(selection: Selection, page: PageTables, chances: Float32Array): Selection {
  const narrowed = narrowTo(selection, page, chooseBlocks(page, adjustChances(page, chances)));
  return isEmpty(narrowed) ? selection : narrowed;
}

/** Returns the chance of each block to be content, between 0 and 1. */
function judgeBlocks(page: PageTables, model: Model): Float32Array {
  const samples = findSamples(page);
  const judged = new Int32Array(samples.length);
  let count = 0;
  for (let block = 0; block < samples.length; block++) if (samples[block] === block) judged[count++] = block;
  const chances = new Float32Array(samples.length);
  const rows = new Rows(model.columns, pageNumbers(page));
  for (let from = 0; from < count; from += BATCH) {
    const blocks = judged.subarray(from, Math.min(count, from + BATCH));
    rows.clear();
    writeFeatures(page, blocks, rows);
    const scores = model.score(rows);
    for (let at = 0; at < scores.length; at++) chances[blocks[at] ?? 0] = scores[at] ?? 0;
  }
  // A sample comes before the blocks it stands for, or stands for itself.
  for (let block = 0; block < samples.length; block++) chances[block] = chances[samples[block] ?? 0] ?? 0;
  return chances;
}

/** From this many blocks on, only samples are judged. Each stands for the similar blocks after it. */
const MAX_JUDGED = 20_000;
/** Blocks with more words are always judged individually. */
const SHORT_WORDS = 60;
/** In a run of similar short blocks, the first `FIRST` are judged, then every `STEP`th. */
const FIRST = 2;
const STEP = 8;
/** A run ends after this many blocks without another of its kind. */
const REACH = 60;

/**
 * Similar blocks at some distance from each other: the same elements and classes, and about the same length.
 */
interface Run {
  /** The last block found. */
  last: number;
  count: number;
  /** The last block judged. */
  judged: number;
}

/**
 * By block: the block judged in its stead, at or before it. Table cells, card titles and lines of code are
 * kept or dropped together, so some of the short ones suffice.
 */
export function findSamples({ blocks, texts, repetition }: PageTables): Int32Array {
  const { size } = blocks;
  const step = Math.ceil(size / MAX_JUDGED) || 1;
  const samples = new Int32Array(size);
  const runs = new Map<number, Run>();
  for (let block = 0; block < size; block++) {
    const words = texts.words[block] ?? 0;
    if (block % step !== 0) samples[block] = samples[block - 1] ?? 0;
    else if (words > SHORT_WORDS) samples[block] = block;
    else {
      const key = (repetition.signature[block] ?? 0) * 4 + lengthClass(words);
      samples[block] = sampleOf(block, key, runs);
    }
  }
  return samples;
}

function sampleOf(block: number, key: number, runs: Map<number, Run>): number {
  const run = runs.get(key);
  if (run === undefined || block - run.last > REACH) {
    runs.set(key, { last: block, count: 1, judged: block });
    return block;
  }
  run.last = block;
  const order = run.count++;
  if (order < FIRST || order % STEP === 0) run.judged = block;
  return run.judged;
}

function lengthClass(words: number): number {
  return words < 3 ? 0 : words < 7 ? 1 : words < 13 ? 2 : 3;
}

/** Elements that are too small to be a region of a page; the search continues with their parent. */
const PART = tagSet(
  `a abbr b blockquote caption code dd details dl dt em figcaption figure h1 h2 h3 h4 h5 h6 i label li ol p pre span
   strong summary table tbody td tfoot th thead tr ul`,
);

/** Drops the blocks that are not kept, and narrows the selection to the element around the kept ones. */
function narrowTo(selection: Selection, page: PageTables, kept: Uint8Array): Selection {
  const { tree, blocks } = page;
  const counts = countBlocks(page, kept);
  const skipped = selection.skipped.slice();
  for (let node = 0; node < tree.size; node++) {
    const end = tree.end[node] ?? tree.size;
    const hasDropped = (counts.all[end] ?? 0) > (counts.all[node] ?? 0);
    const hasKept = (counts.kept[end] ?? 0) > (counts.kept[node] ?? 0);
    if (!hasDropped || hasKept) continue;
    skipped[node] = 1;
    node = end - 1;
  }
  const narrowed = withSkipped(selection, skipped);
  const region = regionOf(page, kept);
  return region > 0 && selection.roots.length === 1 && blocks.size > 0 ? only(narrowed, [region]) : narrowed;
}

interface Counts {
  readonly all: Int32Array;
  readonly kept: Int32Array;
}

/** Running totals of the text nodes in all blocks and in kept blocks. */
function countBlocks({ tree, blocks }: PageTables, kept: Uint8Array): Counts {
  const counts = { all: new Int32Array(tree.size + 1), kept: new Int32Array(tree.size + 1) };
  for (let block = 0; block < blocks.size; block++) {
    const last = blocks.last[block] ?? 0;
    for (let node = blocks.first[block] ?? 0; node <= last; node++) {
      if (tree.tag[node] !== TEXT) continue;
      counts.all[node + 1] = 1;
      counts.kept[node + 1] = kept[block] ?? 0;
    }
  }
  for (let at = 1; at <= tree.size; at++) {
    counts.all[at] = (counts.all[at] ?? 0) + (counts.all[at - 1] ?? 0);
    counts.kept[at] = (counts.kept[at] ?? 0) + (counts.kept[at - 1] ?? 0);
  }
  return counts;
}

/**
 * Returns the innermost element around all kept blocks that is not merely a part of a text; -1 when nothing
 * is kept.
 */
function regionOf({ tree, blocks }: PageTables, kept: Uint8Array): number {
  const first = kept.indexOf(1);
  if (first < 0) return -1;
  const last = blocks.last[kept.lastIndexOf(1)] ?? 0;
  let region = blocks.owner[first] ?? 0;
  while (region > 0 && (last >= (tree.end[region] ?? 0) || PART[tree.tag[region] ?? 0] === 1)) {
    region = tree.parent[region] ?? 0;
  }
  return region;
}

const BASE = tagId("base");
const META = tagId("meta");
const SCRIPT = tagId("script");
const TITLE = tagId("title");

/** Characters. Pages with less text leave their content to scripts. */
const BARE_PAGE_TEXT = 300;
/** Characters. With at least this much text, the found texts stand for the page. */
const MIN_EMBEDDED_TEXT = 400;
/** Characters. Shorter attributes and scripts hold no page. */
const MIN_SOURCE = 1000;
const MAX_SOURCES = 50;

/**
 * Returns the content of a page that is bare without scripts but carries its texts as JSON, in a script or an
 * attribute: posts, articles. The result is a new page with the title and metadata of the first one;
 * undefined when there is none.
 */
export function embeddedContent(selection: Selection): Selection | undefined {
  const { tree, roots } = selection;
  const isWhole = roots.length === 1 && roots[0] === 0;
  if (!isWhole || hasText(tree, selection.skipped, BARE_PAGE_TEXT)) return undefined;
  const texts = jsonSources(tree).map((source) => mainTexts(findJsonTexts(source)));
  const [longest] = texts.sort((a, b) => lengthOf(b) - lengthOf(a));
  if (!longest || lengthOf(longest) < MIN_EMBEDDED_TEXT) return undefined;
  return selectAll(parseHtml(headOf(tree) + longest.map(writeText).join("\n")));
}

/** Returns JSON scripts and long attributes that begin like JSON, in document order. */
function jsonSources(tree: HtmlTree): readonly string[] {
  const sources: string[] = [];
  for (let node = 1; node < tree.size && sources.length < MAX_SOURCES; node++) {
    if (tree.tag[node] === TEXT) continue;
    for (const [, value] of tree.attributes(node)) {
      if (value.length >= MIN_SOURCE && /^\s*[[{]/.test(value)) sources.push(value);
    }
    if (tree.tag[node] !== SCRIPT || !/json/i.test(tree.attribute(node, "type") ?? "")) continue;
    const script = tree.textContent(node);
    if (script.length >= MIN_SOURCE) sources.push(script);
  }
  return sources;
}

/** Returns the texts under the key that holds the most text. */
function mainTexts(texts: readonly JsonText[]): readonly JsonText[] {
  const lengths = new Map<string, number>();
  for (const { key, value } of texts) lengths.set(key, (lengths.get(key) ?? 0) + value.length);
  const [main] = [...lengths].sort((a, b) => b[1] - a[1]);
  return main ? texts.filter(({ key }) => key === main[0]) : [];
}

function lengthOf(texts: readonly JsonText[]): number {
  return texts.reduce((sum, { value }) => sum + value.length, 0);
}

function writeText({ value, isMarkup, author }: JsonText): string {
  const text = isMarkup ? value : `<p>${escape(value)}</p>`;
  return `<article>${author === "" ? "" : `<p>${escape(author)}</p>`}${text}</article>`;
}

function headOf(tree: HtmlTree): string {
  const head: string[] = [];
  let title = "";
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node];
    if (tag === TITLE && title === "") title = tree.textContent(node).trim();
    if (tag !== META && tag !== BASE) continue;
    const attributes = tree.attributes(node).map(([name, value]) => `${name}="${escape(value)}"`);
    head.push(`<${tree.nameOf(node)} ${attributes.join(" ")}>`);
  }
  const heading = title === "" ? "" : `<h1>${escape(title)}</h1>`;
  return `<head>${head.join("")}</head><body>${heading}`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
