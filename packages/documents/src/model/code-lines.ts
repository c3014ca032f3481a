import { type Block, type Inline, plainText } from "./document.ts";
import { CODE_LINE } from "./marks.ts";

/** In characters. A longer line in typewriter letters is prose. */
const MAX_LINE_LENGTH = 120;
/** Where more of the blocks than this are in typewriter letters, they are the letters of the whole text. */
const MAX_SHARE = 0.9;

/** Joins lines that are marked as code into blocks. Prose in typewriter letters stays text. */
export function withCodeBlocks(blocks: readonly Block[]): readonly Block[] {
  const marked = blocks.filter(isMarked).length;
  if (marked === 0) return blocks;
  const isUsual = marked > blocks.length * MAX_SHARE;
  const joined: Block[] = [];
  for (let at = 0; at < blocks.length;) {
    let end = at;
    while (end < blocks.length && isMarked(blocks[end])) end += 1;
    const lines = blocks.slice(at, end);
    if (lines.length > 0) joined.push(...(isUsual ? lines.flatMap(withoutMark) : codeOf(lines)));
    else joined.push(...blocks.slice(at, (end += 1)));
    at = end;
  }
  return joined;
}

function isMarked(block: Block | undefined): boolean {
  return block?.kind === "paragraph" && plainText(block.content).startsWith(CODE_LINE);
}

function codeOf(lines: readonly Block[]): readonly Block[] {
  const texts = lines.map((line) =>
    line.kind === "paragraph" ? plainText(line.content).slice(CODE_LINE.length) : "",
  );
  const text = texts.join("\n").replace(/^\s*\n|\s+$/g, "");
  const isCode =
    text !== "" && texts.every((line) => line.split("\n").every((part) => part.length <= MAX_LINE_LENGTH));
  return isCode ? [{ kind: "code", language: "", text }] : lines.flatMap(withoutMark);
}

function withoutMark(block: Block): readonly Block[] {
  if (block.kind !== "paragraph") return [block];
  const content = block.content
    .map((inline): Inline =>
      inline.kind === "text" ? { ...inline, text: inline.text.replaceAll(CODE_LINE, "") } : inline,
    )
    .filter((inline) => inline.kind !== "text" || inline.text !== "");
  return content.length === 0 ? [] : [{ ...block, content }];
}
