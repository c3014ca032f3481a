import { type Block, type ListBlock, type ListItem, plainText } from "./document.ts";
import { CONTINUED, NESTED } from "./marks.ts";

const MARKS = new RegExp(`^(?:${CONTINUED}|${NESTED}+)`);

/**
 * A list that begins with a list alone, or with text without a mark, continues the list before it: so some programs
 * write each item of an outline.
 */
export function withJoinedLists(blocks: readonly Block[]): readonly Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const [first, ...others] = block.kind === "list" ? block.items : [];
    const inner = first && bareList(first);
    const depth = first ? depthOf(first) : -1;
    if (block.kind === "list" && first && depth >= 0) {
      const plain = { ...block, items: [withoutMarks(first), ...others] };
      if (last?.kind === "list") joined[joined.length - 1] = withInner(last, plain, depth);
      else joined.push(plain);
    } else if (block.kind !== "list" || !first || (!inner && !isContinued(first))) joined.push(block);
    else if (last?.kind === "list") {
      const continued = { ...last, items: withMore(last.items, first) };
      if (inner) joined[joined.length - 1] = { ...continued, items: [...continued.items, ...others] };
      else joined.splice(-1, 1, continued, ...(others.length > 0 ? [{ ...block, items: others }] : []));
    } else if (inner) joined.push(...withJoinedLists([{ ...block, items: [...inner.items, ...others] }]));
    else joined.push(...unmarked(first.blocks), ...(others.length > 0 ? [{ ...block, items: others }] : []));
  }
  return joined;
}

/** A list nested two levels deeper is an item with only a list, which belongs to the item before, as text without a mark does. */
export function withJoinedItems(list: ListBlock): ListBlock {
  let joined: ListBlock = { ...list, items: [] };
  for (const item of list.items) {
    if (item.blocks.length === 0) continue;
    const isFirst = joined.items.length === 0;
    const isMore = !isFirst && (bareList(item) !== undefined || isContinued(item));
    const depth = isFirst ? 0 : depthOf(item);
    if (isMore) joined = { ...list, items: withMore(joined.items, item) };
    else if (depth < 0 || isFirst) joined = { ...list, items: [...joined.items, item] };
    else joined = withInner(joined, { ...list, items: [withoutMarks(item)] }, depth);
  }
  return joined;
}

/** In how many lists an item is that begins with marks for that. Less than 0 for others. */
function depthOf({ blocks: [first] }: ListItem): number {
  const text = first?.kind === "paragraph" ? plainText(first.content) : "";
  if (!text.startsWith(NESTED)) return -1;
  return text.length - text.replace(MARKS, "").length - 1;
}

/** A list goes on, or holds another so deep. */
function withInner(list: ListBlock, other: ListBlock, depth: number): ListBlock {
  const last = list.items.at(-1);
  if (depth <= 0 || !last) return { ...list, items: [...list.items, ...other.items] };
  const inner = last.blocks.at(-1);
  const isWithin = inner?.kind === "list" && (depth > 1 || inner.isOrdered === other.isOrdered);
  const blocks = isWithin
    ? [...last.blocks.slice(0, -1), withInner(inner, other, depth - 1)]
    : [...last.blocks, other];
  return { ...list, items: [...list.items.slice(0, -1), { ...last, blocks }] };
}

function bareList({ blocks }: ListItem): ListBlock | undefined {
  const [only, ...others] = blocks;
  return only?.kind === "list" && others.length === 0 ? only : undefined;
}

function isContinued({ blocks: [first] }: ListItem): boolean {
  return first?.kind === "paragraph" && plainText(first.content).startsWith(CONTINUED);
}

function withMore(items: readonly ListItem[], more: ListItem): readonly ListItem[] {
  const { blocks } = withoutMarks(more);
  const last = items.at(-1);
  if (!last) return [{ ...more, blocks }];
  const joined = withJoinedLists([...last.blocks.slice(-1), ...blocks]);
  return [...items.slice(0, -1), { ...last, blocks: [...last.blocks.slice(0, -1), ...joined] }];
}

function withoutMarks(item: ListItem): ListItem {
  return { ...item, blocks: unmarked(item.blocks) };
}

function unmarked([first, ...others]: readonly Block[]): readonly Block[] {
  if (first?.kind !== "paragraph") return first ? [first, ...others] : [];
  const content = first.content.map((inline) =>
    inline.kind === "text" ? { ...inline, text: inline.text.replace(MARKS, "") } : inline,
  );
  return [{ ...first, content }, ...others];
}
