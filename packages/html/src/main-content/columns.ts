import type { PageTables } from "./tables/page-tables.ts";

/** Fewer blocks are not a column. */
const MIN_BLOCKS = 4;
/** A column of which half is kept is kept as a whole, any other goes. Measured: macro 0.8330 against 0.8325. */
const KEPT_SHARE = 0.5;

/**
 * Decides a column of a series as one: the prices of all cards, the names above all replies. Blocks of the same elements
 * and classes in items of one series are a column.
 */
export function decideColumns(page: PageTables, kept: Uint8Array): void {
  for (const blocks of findColumns(page)) {
    if (blocks.length < MIN_BLOCKS) continue;
    const share = blocks.reduce((sum, block) => sum + (kept[block] ?? 0), 0) / blocks.length;
    for (const block of blocks) kept[block] = share >= KEPT_SHARE ? 1 : 0;
  }
}

function findColumns({ tree, blocks, repetition }: PageTables): Iterable<readonly number[]> {
  const columns = new Map<number, Map<number, number[]>>();
  for (let block = 0; block < blocks.size; block++) {
    const owner = blocks.owner[block] ?? 0;
    const item = repetition.item[owner] ?? -1;
    // Paragraphs and list items are not cards: they stand for themselves.
    if (item < 0 || item === owner) continue;
    const series = tree.parent[item] ?? 0;
    const signature = repetition.signature[block] ?? 0;
    let ofSeries = columns.get(series);
    if (!ofSeries) columns.set(series, (ofSeries = new Map()));
    const column = ofSeries.get(signature);
    if (column) column.push(block);
    else ofSeries.set(signature, [block]);
  }
  return [...columns.values()].flatMap((ofSeries) => [...ofSeries.values()]);
}
