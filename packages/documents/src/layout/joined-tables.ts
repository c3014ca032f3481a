import type { LaidOutBlock, LaidOutPage } from "./laid-out-page.ts";
import { hasSpans, type Table } from "./tables/table.ts";

/** Maximum head rows that are repeated on the next page. */
const MAX_HEAD_ROWS = 4;
/**
 * Shares of the page. The pieces of a table have the same sides; the first ends low enough and the next
 * begins high enough.
 */
const SAME_SIDE = 0.02;
const LEAST_END = 0.6;
const MAX_START = 0.35;

interface Place {
  readonly page: number;
  readonly block: number;
}

/** Joins tables that continue on the next page, and drops repeated head rows. */
export function joinTables(pages: readonly LaidOutPage[]): LaidOutPage[] {
  const blocks = pages.map((page) => [...page.blocks]);
  const blockAt = ({ page, block }: Place) => blocks[page]?.[block];
  let chain: Place[] = [];
  pages.forEach((page, at) => {
    const first = placeOf(page, at, "first");
    const last = chain.at(-1);
    const before = last && blockAt(last);
    const block = first && blockAt(first);
    const rest = before && block && restOf(before, block, [pages[at - 1], page]);
    if (rest && first && block) {
      chain.push(first);
      setBlock(first, { ...block, seam: "rows", body: { kind: "table", table: rest } });
    }
    const end = placeOf(page, at, "last");
    if (rest && first?.block === end?.block) return;
    close();
    chain = end ? [end] : [];
  });
  close();
  return pages.map((page, at) => ({ ...page, blocks: blocks[at] ?? [] }));

  function setBlock({ page, block }: Place, value: LaidOutBlock): void {
    const own = blocks[page];
    if (own) own[block] = value;
  }

  /** Marks the first and last piece of a table, and makes all pieces use the same notation. */
  function close(): void {
    if (chain.length < 2) return;
    const tables = chain.flatMap((place) => tableOf(blockAt(place)) ?? []);
    const isMarkup = tables.some(hasSpans);
    chain.forEach((place, at) => {
      const block = blockAt(place);
      if (block?.body.kind !== "table") return;
      const piece = { isMarkup, isFirst: at === 0, isLast: at === chain.length - 1 };
      setBlock(place, { ...block, body: { ...block.body, piece } });
    });
  }
}

/** The first or last block that is shown, if it is a table. */
function placeOf({ blocks }: LaidOutPage, page: number, which: "first" | "last"): Place | undefined {
  const shown = ({ isShown }: LaidOutBlock) => isShown;
  const block = which === "first" ? blocks.findIndex(shown) : blocks.findLastIndex(shown);
  return blocks[block]?.body.kind === "table" ? { page, block } : undefined;
}

function tableOf(block: LaidOutBlock | undefined): Table | undefined {
  return block?.body.kind === "table" ? block.body.table : undefined;
}

/** Rows that continue the table, without repeated head rows; undefined if it is a different table. */
function restOf(
  before: LaidOutBlock,
  block: LaidOutBlock,
  [pageBefore, page]: readonly [LaidOutPage | undefined, LaidOutPage],
): Table | undefined {
  const [table, next] = [tableOf(before), tableOf(block)];
  if (!table || !next || !pageBefore || table.columns !== next.columns) return undefined;
  const isSameSide = (side: 0 | 2) =>
    Math.abs(before.box[side] / pageBefore.width - block.box[side] / page.width) < SAME_SIDE;
  if (!isSameSide(0) || !isSameSide(2)) return undefined;
  if (before.box[3] < LEAST_END * pageBefore.height || block.box[1] > MAX_START * page.height)
    return undefined;
  const rows = next.rows.slice(repeatedRows(table, next));
  return rows.length > 0 ? { ...next, rows } : undefined;
}

/** Number of leading rows that both tables share. */
function repeatedRows({ rows }: Table, next: Table): number {
  let count = 0;
  while (count < MAX_HEAD_ROWS && isSameRow(rows[count], next.rows[count])) count++;
  return count;
}

function isSameRow(a: Table["rows"][number] | undefined, b: Table["rows"][number] | undefined): boolean {
  if (!a || !b || a.length !== b.length) return false;
  return a.some(({ text }) => text !== "") && a.every(({ text }, at) => text === b[at]?.text);
}
