import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import type { Selection } from "../../packages/html/src/selection/selection.ts";
import { TEXT } from "../../packages/html/src/parser/tree.ts";
import { pageNumbers } from "../../packages/html/src/main-content/model/features-page.ts";
import { writeFeatures } from "../../packages/html/src/main-content/model/features.ts";
import { addressNumbers, kindNumbers } from "../../packages/html/src/main-content/tables/page-facts.ts";
import { Lexicon, type Lexica } from "../../packages/html/src/main-content/tables/lexicon.ts";
import { type PageTables, readPage } from "../../packages/html/src/main-content/tables/page-tables.ts";
import { BATCH, Rows } from "../../packages/html/src/main-content/model/rows.ts";
import { selectReadable } from "../../packages/html/src/selection/scriptless.ts";
import { labelBlocks, tokenize } from "./labels.ts";
import { type LearnedTokens, TokenVotes } from "./learn-lexica.ts";
import { FOLDS, type LabelledPage, readPages, type TruthName } from "./pages.ts";
import { nameTokensOf, wordTokensOf } from "./token-strings.ts";

const NAME_LIMITS = { minSites: 6, minOdds: 0.3, maxTokens: 3500 };
const WORD_LIMITS = { minSites: 9, minOdds: 0.4, maxTokens: 5000 };
/** Characters of a block that count for the names around it; longer blocks count no more. */
const MAX_CHARS = 400;

const EMPTY: Lexica = { names: new Lexicon([], []), words: new Lexicon([], []) };

/** A page with the label of every block: 1 content, 0 not, -1 unknown. */
interface Labelled {
  readonly page: LabelledPage;
  readonly labels: Int8Array;
  readonly words: readonly (readonly string[])[];
}

const { values } = parseArgs({
  options: {
    pages: { type: "string" },
    out: { type: "string" },
    truth: { type: "string", default: "revised" },
  },
});
if (!values.pages || !values.out || !(values.truth === "old" || values.truth === "revised"))
  throw new Error("usage: dump.ts --pages FOLDER --out FOLDER [--truth old|revised]");
dump(values.pages, values.out, values.truth);

/** Writes what train.py reads: rows.f32 (features), blocks.f32 (label, words, page), pages.json, lexica.json. */
function dump(folder: string, out: string, truth: TruthName): void {
  mkdirSync(out, { recursive: true });
  const votes = { names: new TokenVotes(), words: new TokenVotes() };
  const pages = readPages(folder, truth);
  const labelled = pages.map((page) => {
    const tables = readPage(readable(page), page.url, EMPTY);
    const { labels, words } = labelPage(page, tables);
    if (page.isTrained) vote(votes, page.site, tables, labels);
    return { page, labels, words };
  });
  const foldOf = new Map(pages.map((page) => [page.site, page.fold]));
  const all = learn(votes, () => true);
  const others = Array.from({ length: FOLDS }, (_, fold) =>
    learn(votes, (site) => foldOf.get(site) !== fold),
  );
  writeFileSync(join(out, "lexica.json"), JSON.stringify(all));
  console.log(`lexica: ${all.names.tokens.length} names, ${all.words.tokens.length} words`);
  writeRows(out, labelled, others.map(asLexica));
}

function writeRows(out: string, labelled: readonly Labelled[], lexica: readonly Lexica[]): void {
  const rowFile = openSync(join(out, "rows.f32"), "w");
  const blockFile = openSync(join(out, "blocks.f32"), "w");
  let columns = 0;
  let address = 0;
  labelled.forEach(({ page, labels, words }, index) => {
    const tables = readPage(readable(page), page.url, lexica[page.fold] ?? EMPTY);
    const { size } = tables.blocks;
    if (size === 0) return;
    columns ||= countColumns(tables);
    address = columns - tables.facts.numbers.length + kindNumbers("").length;
    for (let from = 0; from < size; from += BATCH) writeSync(rowFile, rowsOf(tables, from, columns));
    const facts = new Float32Array(size * 4);
    for (let block = 0; block < size; block++) {
      facts.set(
        [labels[block] ?? 0, words[block]?.length ?? 0, index, tables.texts.chars[block] ?? 0],
        block * 4,
      );
    }
    writeSync(blockFile, new Uint8Array(facts.buffer));
  });
  closeSync(rowFile);
  closeSync(blockFile);
  const pages = labelled.map(({ page }) => ({
    id: page.id,
    type: page.type,
    fold: page.fold,
    site: page.site,
    isTrained: page.isTrained,
    isWhole: page.text !== "",
  }));
  writeFileSync(
    join(out, "pages.json"),
    JSON.stringify({ columns, address: { from: address, blank: addressNumbers("") }, pages }),
  );
  console.log(`${columns} features`);
}

/** The part of a page that the service would judge. */
function readable(page: LabelledPage): Selection {
  return selectReadable(parseHtml(page.html()));
}

function countColumns(tables: PageTables): number {
  const rows = new Rows(1000, new Float32Array());
  writeFeatures(tables, Int32Array.of(0), rows);
  return rows.width + pageNumbers(tables).length;
}

/** The numbers of a batch of blocks, row by row. */
function rowsOf(tables: PageTables, from: number, columns: number): Uint8Array {
  const size = Math.min(BATCH, tables.blocks.size - from);
  const rows = new Rows(columns, pageNumbers(tables));
  writeFeatures(
    tables,
    Int32Array.from({ length: size }, (_, at) => from + at),
    rows,
  );
  const byRow = Float32Array.from(
    { length: size * columns },
    (_, at) => rows.values[(at % columns) * BATCH + Math.floor(at / columns)] ?? 0,
  );
  return new Uint8Array(byRow.buffer);
}

function labelPage(page: LabelledPage, { tree, blocks, elements }: PageTables): Omit<Labelled, "page"> {
  const words = Array.from({ length: blocks.size }, (_, block) => {
    let text = "";
    const last = blocks.last[block] ?? 0;
    for (let node = blocks.first[block] ?? 0; node <= last; node++) {
      if (tree.tag[node] === TEXT && elements.out[node] === 0) text += `${tree.text(node)} `;
    }
    return tokenize(text);
  });
  if (page.text !== "") {
    const labels = labelBlocks(words, tokenize(page.text));
    return { words, labels: withoutOptional(labels, words, page.optional) };
  }
  return { words, labels: labelBySnippets(page, words) };
}

/** Blocks that cost nothing, such as the title, teach nothing either. */
function withoutOptional(
  labels: Int8Array,
  words: readonly (readonly string[])[],
  optional: string,
): Int8Array {
  const text = ` ${tokenize(optional).join(" ")} `;
  return labels.map((label, block) => {
    const own = words[block] ?? [];
    return label === 0 && own.length > 0 && text.includes(` ${own.join(" ")} `) ? -1 : label;
  });
}

/** Pages of which only snippets are known: blocks around one are labelled, the others are unknown. */
function labelBySnippets(page: LabelledPage, words: readonly (readonly string[])[]): Int8Array {
  const content = page.with.map((snippet) => ` ${tokenize(snippet).join(" ")} `);
  const rest = page.without.map((snippet) => ` ${tokenize(snippet).join(" ")} `);
  return Int8Array.from(words, (block) => {
    const text = ` ${block.join(" ")} `;
    if (content.some((snippet) => text.includes(snippet))) return 1;
    return rest.some((snippet) => text.includes(snippet)) ? 0 : -1;
  });
}

function vote(
  votes: { readonly names: TokenVotes; readonly words: TokenVotes },
  site: string,
  tables: PageTables,
  labels: Int8Array,
): void {
  const { tree, blocks, texts } = tables;
  const tokensOf = new Map<number, ReadonlySet<string>>();
  const names = new Map<string, [number, number]>();
  const words = new Map<string, [number, number]>();
  const wordTokens = wordTokensOf(tables);
  for (let block = 0; block < blocks.size; block++) {
    const label = labels[block] ?? -1;
    if (label < 0) continue;
    const around = new Set<string>();
    for (let node = tree.parent[blocks.first[block] ?? 0] ?? -1; node > 0; node = tree.parent[node] ?? -1) {
      let tokens = tokensOf.get(node);
      if (!tokens) tokensOf.set(node, (tokens = nameTokensOf(tree, node)));
      for (const token of tokens) around.add(token);
    }
    const chars = Math.min(MAX_CHARS, texts.chars[block] ?? 0);
    for (const token of around) count(names, token, label, chars);
    for (const token of wordTokens[block] ?? []) count(words, token, label, 1);
  }
  for (const [token, [rest, content]] of names) votes.names.add(token, site, content / (content + rest));
  for (const [token, [rest, content]] of words) votes.words.add(token, site, content / (content + rest));
}

function count(counts: Map<string, [number, number]>, token: string, label: number, amount: number): void {
  let pair = counts.get(token);
  if (!pair) counts.set(token, (pair = [0, 0]));
  pair[label === 1 ? 1 : 0] += amount;
}

function learn(
  votes: { readonly names: TokenVotes; readonly words: TokenVotes },
  isCounted: (site: string) => boolean,
): { readonly names: LearnedTokens; readonly words: LearnedTokens } {
  return {
    names: votes.names.learn(isCounted, NAME_LIMITS),
    words: votes.words.learn(isCounted, WORD_LIMITS),
  };
}

function asLexica(learned: { readonly names: LearnedTokens; readonly words: LearnedTokens }): Lexica {
  return {
    names: new Lexicon(learned.names.tokens, learned.names.odds),
    words: new Lexicon(learned.words.tokens, learned.words.odds),
  };
}
