import { type Block, type ListBlock, type ListItem, plainText } from "./document.ts";
import { CONTINUED } from "./marks.ts";

/** A list that begins with a list alone, or with text without a mark, continues the list before it. */
export function withJoinedLists(blocks: readonly Block[]): readonly Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const [first, ...others] = block.kind === "list" ? block.items : [];
    const inner = first && bareList(first);
    if (block.kind !== "list" || !first || (!inner && !isContinued(first))) joined.push(block);
    else if (last?.kind === "list") {
      const continued = { ...last, items: withMore(last.items, first) };
      if (inner) joined[joined.length - 1] = { ...continued, items: [...continued.items, ...others] };
      else joined.splice(-1, 1, continued, ...(others.length > 0 ? [{ ...block, items: others }] : []));
    } else if (inner) joined.push({ ...block, items: [...inner.items, ...others] });
    else joined.push(...unmarked(first.blocks), ...(others.length > 0 ? [{ ...block, items: others }] : []));
  }
  return joined;
}

/** A list nested two levels deeper is an item with only a list, which belongs to the item before, as text without a mark does. */
export function joinedItems(items: readonly ListItem[]): readonly ListItem[] {
  let joined: readonly ListItem[] = [];
  for (const item of items) {
    if (item.blocks.length === 0) continue;
    const isMore = joined.length > 0 && (bareList(item) !== undefined || isContinued(item));
    joined = isMore ? withMore(joined, item) : [...joined, item];
  }
  return joined;
}

function bareList({ blocks }: ListItem): ListBlock | undefined {
  const [only, ...others] = blocks;
  return only?.kind === "list" && others.length === 0 ? only : undefined;
}

function isContinued({ blocks: [first] }: ListItem): boolean {
  return first?.kind === "paragraph" && plainText(first.content).startsWith(CONTINUED);
}

function withMore(items: readonly ListItem[], { blocks }: ListItem): readonly ListItem[] {
  const last = items.at(-1);
  return last ? [...items.slice(0, -1), { ...last, blocks: [...last.blocks, ...unmarked(blocks)] }] : items;
}

function unmarked([first, ...others]: readonly Block[]): readonly Block[] {
  if (first?.kind !== "paragraph") return first ? [first, ...others] : [];
  const content = first.content.map((inline) =>
    inline.kind === "text" ? { ...inline, text: inline.text.replace(CONTINUED, "") } : inline,
  );
  return [{ ...first, content }, ...others];
}
