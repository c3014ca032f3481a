import { holdsText } from "../selection/text.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { tagId, TEXT } from "../parser/tree.ts";
import type { Conversion } from "./conversion.ts";

const ITEM = tagId("li");
const ORDERED = tagId("ol");
const LIST = tagSet("ul ol menu dir");

/** Markdown can write numbers of up to nine digits, not negative. */
const MAX_NUMBER = 999_999_999;

/** State of a list while its items are written. */
interface ListState {
  /** Number of the next item; `undefined` in bullet lists. */
  number: number | undefined;
  /** Difference between consecutive numbers; -1 in lists that count down. */
  readonly step: number;
  /** Number of blocks written when the list began. */
  readonly start: number;
  readonly isNested: boolean;
}

/** Writes `ul` and `ol`: items one below the other, nested lists at the text column of their item. */
export function writeList(conversion: Conversion, node: number): void {
  if (conversion.style !== "paragraph") {
    conversion.block(node);
    return;
  }
  conversion.boundary();
  const step = conversion.tree.attribute(node, "reversed") === undefined ? 1 : -1;
  const number = conversion.tree.tag[node] === ORDERED ? startOf(conversion, node, step) : undefined;
  const isNested = conversion.isInItem;
  writeItems(conversion, node, { number, step, start: conversion.writer.written, isNested });
  conversion.writer.nextJoin = "paragraph";
}

/** Writes an `li` outside a list. */
export function writeLooseItem(conversion: Conversion, node: number): void {
  if (conversion.style !== "paragraph") {
    conversion.block(node);
    return;
  }
  conversion.boundary();
  writeItem(conversion, "- ", () => conversion.children(node));
}

/** The number of the first item. A list that counts down ends with 1. */
function startOf(conversion: Conversion, node: number, step: number): number {
  const start = Number.parseInt(conversion.tree.attribute(node, "start") ?? "", 10);
  if (start >= 0 && start <= MAX_NUMBER) return start;
  if (step > 0) return 1;
  return conversion.childrenOf(node).filter((child) => conversion.tree.tag[child] === ITEM).length;
}

function writeItems(conversion: Conversion, node: number, list: ListState): void {
  const { tree } = conversion;
  for (const child of conversion.childrenOf(node)) {
    const tag = tree.tag[child] ?? 0;
    if (!conversion.isKept(child)) continue;
    if (tag === TEXT && !holdsText(tree, child)) continue;
    if (conversion.notes.isNote(child)) {
      conversion.visit(child);
      continue;
    }
    joinNext(conversion, list);
    if (LIST[tag] === 1) writeStrayList(conversion, child, list);
    else if (tag !== ITEM && holdsItem(conversion, child)) writeItems(conversion, child, list);
    else writeNumbered(conversion, child, list);
  }
}

/** Joins items line by line. A nested list follows the text of its item the same way. */
function joinNext(conversion: Conversion, list: ListState): void {
  const { writer } = conversion;
  const isFirst = writer.written === list.start;
  // An ordered list can interrupt a paragraph only if it starts with 1.
  const followsText = list.isNested && (list.number === undefined || list.number === 1);
  writer.nextJoin = !isFirst || followsText ? "line" : "paragraph";
}

function writeNumbered(conversion: Conversion, item: number, list: ListState): void {
  const { writer } = conversion;
  const before = writer.written;
  const isItem = conversion.tree.tag[item] === ITEM;
  if (list.number !== undefined) list.number = numberOf(conversion, item) ?? list.number;
  writeItem(conversion, markerOf(list.number), () =>
    isItem ? conversion.children(item) : conversion.visit(item),
  );
  if (list.number !== undefined && writer.written > before)
    list.number = Math.max(0, Math.min(list.number + list.step, MAX_NUMBER));
}

/** The number in the item's own attribute. */
function numberOf(conversion: Conversion, item: number): number | undefined {
  const number = Number.parseInt(conversion.tree.attribute(item, "value") ?? "", 10);
  return number >= 0 && number <= MAX_NUMBER ? number : undefined;
}

export function writeItem(conversion: Conversion, marker: string, content: () => void): void {
  const wasInItem = conversion.isInItem;
  conversion.isInItem = true;
  const outer = conversion.writer.begin(marker, " ".repeat(marker.length));
  content();
  conversion.boundary();
  conversion.writer.end(outer);
  conversion.isInItem = wasInItem;
}

/** A list directly inside a list belongs to the item before it. */
function writeStrayList(conversion: Conversion, node: number, list: ListState): void {
  const hasItem = conversion.writer.written > list.start;
  const number = list.number === undefined ? undefined : list.number - 1;
  const column = hasItem ? " ".repeat(markerOf(number).length) : "";
  const wasInItem = conversion.isInItem;
  conversion.isInItem ||= hasItem;
  conversion.writer.container(column, column, () => conversion.visit(node));
  conversion.isInItem = wasInItem;
}

function markerOf(number: number | undefined): string {
  return number === undefined ? "- " : `${number}. `;
}

/** Whether an element between a list and its items holds items. */
function holdsItem(conversion: Conversion, node: number): boolean {
  for (const child of conversion.childrenOf(node)) if (conversion.tree.tag[child] === ITEM) return true;
  return false;
}

/** Writes an `input` as a task box when it is a check box at the start of a list item, else not at all. */
export function writeInput(conversion: Conversion, node: number): void {
  const { tree } = conversion;
  if (tree.attribute(node, "type")?.toLowerCase() !== "checkbox") return;
  const isControl = Boolean(tree.attribute(node, "id")) || Boolean(tree.attribute(node, "name"));
  const isTask = tree.attribute(node, "disabled") !== undefined || !isControl;
  if (!isTask || !conversion.run.isEmpty || !conversion.writer.isAtMarker) return;
  conversion.run.verbatim(tree.attribute(node, "checked") === undefined ? "[ ]" : "[x]");
  conversion.run.space();
}
