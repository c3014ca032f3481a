import { type Block, type Inline, plainText } from "./document.ts";

/** Longer bold lines are emphasised text. */
const MAX_CHARACTERS = 120;

const LOWEST_LEVEL = 6;

/** If more than this share of the blocks is bold lines, bold is the normal style. */
const MAX_BOLD_SHARE = 0.5;

/**
 * Turns bold lines above text into headings, for documents without marked headings. The first block becomes
 * the title; the others are below the heading before them.
 */
export function withBoldHeadings(blocks: readonly Block[]): readonly Block[] {
  const isUsual = blocks.filter(isBoldLine).length > blocks.length * MAX_BOLD_SHARE;
  let level = 1;
  return blocks.map((block, at) => {
    if (block.kind === "heading") level = block.level;
    const isTitle = at === 0;
    if (at + 1 >= blocks.length || !isBoldLine(block) || (isUsual && !isTitle)) return block;
    return headingOf(block, isTitle ? 1 : Math.min(level + 1, LOWEST_LEVEL));
  });
}

/** Drops headings that repeat the one before them, as after a title page. */
export function withoutRepeatedHeadings(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter((block, at) => {
    const before = blocks[at - 1];
    if (block.kind !== "heading" || before?.kind !== "heading") return true;
    return plainText(block.content).trim() !== plainText(before.content).trim();
  });
}

function headingOf(block: Block, level: number): Block {
  if (block.kind !== "paragraph") return block;
  return { kind: "heading", level, content: block.content.map(withoutBold) };
}

function withoutBold(inline: Inline): Inline {
  return inline.kind === "text" ? { ...inline, isBold: false } : inline;
}

function isBoldLine(block: Block): boolean {
  if (block.kind !== "paragraph" || !block.content.every(isBoldText)) return false;
  const text = plainText(block.content).trim();
  return text.length <= MAX_CHARACTERS && /\p{L}/u.test(text) && !/[.,;:!]$/.test(text);
}

function isBoldText(inline: Inline): boolean {
  return inline.kind === "text" && (inline.isBold || inline.text.trim() === "");
}
