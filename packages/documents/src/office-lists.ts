import type { List, ListItem as SourceItem } from "@firecrawl/anydoc";

import { type Block, type ListBlock, type ListItem, PLAIN } from "./model/document.ts";

const LAST_NUMBER = /(\d+)[.)]*$/;

export function readList(
  { marker, start, items }: List,
  readBlocks: (item: SourceItem) => readonly Block[],
): ListBlock {
  const isOrdered = (marker as string) !== "bullet";
  const read = items.map((item, at) => ({
    number: isOrdered && at === 0 ? start : undefined,
    isChecked: item.checked,
    blocks: labelled(readBlocks(item), labelOf(item, start + at)),
  }));
  return { kind: "list", isOrdered, items: read.reduce(withoutBareLists, []) };
}

/**
 * The label of an item that list numbering cannot express; not bullets, nor "2.1" for the first item of a
 * nested list.
 */
function labelOf({ markerLabel }: SourceItem, number: number): string | undefined {
  if (markerLabel === undefined || !/[\p{L}\d]/u.test(markerLabel)) return undefined;
  return LAST_NUMBER.exec(markerLabel)?.[1] === String(number) ? undefined : markerLabel;
}

/** Puts the label before the item's text. */
function labelled(blocks: readonly Block[], label: string | undefined): readonly Block[] {
  if (label === undefined) return blocks;
  const text = { kind: "text", text: `${label} `, ...PLAIN } as const;
  const [first, ...others] = blocks;
  if (first?.kind !== "paragraph") return [{ kind: "paragraph", content: [text] }, ...blocks];
  return [{ ...first, content: [text, ...first.content] }, ...others];
}

/**
 * A list nested two levels deeper is stored as an item with only a list, which belongs to the item before.
 */
function withoutBareLists(items: readonly ListItem[], item: ListItem): readonly ListItem[] {
  const [first, ...others] = item.blocks;
  if (!first) return items;
  if (first.kind !== "list" || others.length > 0) return [...items, item];
  const last = items.at(-1);
  if (!last) return first.items;
  return [...items.slice(0, -1), { ...last, blocks: [...last.blocks, first] }];
}
