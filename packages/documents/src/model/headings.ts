import { type Block, type Inline, plainText } from "./document.ts";

/** Longer lines in bold are text that is stressed. */
const MAX_CHARACTERS = 120;

const LOWEST_LEVEL = 6;

/** When more of what a document consists of is bold lines, bold is how it is set. */
const MAX_BOLD_SHARE = 0.5;

/**
 * Blocks with headings in place of the bold lines that are above text, for documents that do not say what their
 * headings are: one that opens the document is its title, others are below the heading before them.
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

/** Blocks without the headings that say again what the one before them said, as those behind a title page do. */
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
