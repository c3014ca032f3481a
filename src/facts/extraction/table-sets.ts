import { tagId } from "../../page-content/html/parser/tree.ts";
import { textOf } from "../structured/text-of.ts";
import type { Candidate } from "./candidate.ts";
import { childElements } from "./list-texts.ts";
import { headingAbove } from "./heading-above.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import { openScope, type Scope, type ScopeSet } from "./scope.ts";
import { labelWords } from "./words.ts";

const [TABLE, TR, TH, CAPTION] = ["table", "tr", "th", "caption"].map(tagId);
const MAX_TABLES = 60;
const MAX_ROWS = 1000;
const MAX_CELLS = 40;
const MAX_LENGTH = 500;

/** The rows of the page's tables that have a row of headings. */
export function tableSets(parts: PageParts): readonly ScopeSet[] {
  const { tree } = parts;
  const sets: ScopeSet[] = [];
  for (let node = tree.tag.indexOf(TABLE ?? 0); node >= 0; node = tree.tag.indexOf(TABLE ?? 0, node + 1)) {
    if (sets.length >= MAX_TABLES) break;
    const set = setOfTable(parts, node);
    if (set) sets.push(set);
  }
  return sets;
}

function setOfTable(parts: PageParts, table: number): ScopeSet | undefined {
  const { tree } = parts;
  const rows = rowsOf(parts, table);
  const [head = [], ...body] = rows;
  const hasHead = head.length > 1 && (head.every((cell) => tree.tag[cell] === TH) || body.length > 1);
  const weight = 0.9 * weightOfPlace(parts, table);
  if (!hasHead || body.length === 0 || weight === 0) return undefined;
  const labels = head.map((cell) => labelWords(textOf(tree, cell, 80)));
  const caption = childElements(tree, table).find((child) => tree.tag[child] === CAPTION);
  const names = [caption === undefined ? "" : textOf(tree, caption, 80), headingAbove(parts, table)];
  const scopes = body.filter((cells) => cells.length > 1).map((cells) => scopeOfRow(parts, cells, labels));
  return { labels: [...names, "row"].map(labelWords), weight, scopes };
}

function rowsOf({ tree }: PageParts, table: number): readonly (readonly number[])[] {
  const rows: (readonly number[])[] = [];
  const end = tree.end[table] ?? 0;
  for (let node = table + 1; node < end && rows.length < MAX_ROWS; node++) {
    // What is in a table inside is another table's.
    if (tree.tag[node] === TABLE) node = (tree.end[node] ?? end) - 1;
    else if (tree.tag[node] === TR) rows.push(childElements(tree, node).slice(0, MAX_CELLS));
  }
  return rows.filter((cells) => cells.length > 0);
}

function scopeOfRow(
  { tree }: PageParts,
  cells: readonly number[],
  labels: readonly (readonly string[])[],
): Scope {
  return openScope(() => {
    const candidates = cells.flatMap((node, index): readonly Candidate[] => {
      const value = textOf(tree, node, MAX_LENGTH);
      const label = labels[index] ?? [];
      return value === "" || label.length === 0 ? [] : [{ label, values: [value], weight: 0.95, node }];
    });
    const [first = -1] = cells;
    const title = first < 0 ? "" : textOf(tree, first, MAX_LENGTH);
    const named: Candidate = { label: [], concept: "title", values: [title], weight: 0.6, node: first };
    return /\p{L}/u.test(title) ? [...candidates, named] : candidates;
  });
}
