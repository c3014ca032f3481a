import type { Block, Inline, ListBlock, ListItem } from "./document.ts";

/** A checkbox at the start of a paragraph, as in forms. The first sign is the empty box. */
const BOX = /^\s*([☐☑☒])\s*/u;

/** Turns paragraphs that begin with a checkbox into a task list. */
export function withTasks(blocks: readonly Block[]): readonly Block[] {
  return blocks.reduce<Block[]>((read, block) => {
    const item = taskOf(block);
    const last = read.at(-1);
    if (item && last && isTaskList(last)) read[read.length - 1] = { ...last, items: [...last.items, item] };
    else read.push(item ? { kind: "list", isOrdered: false, items: [item] } : block);
    return read;
  }, []);
}

function isTaskList(block: Block): block is ListBlock {
  return block.kind === "list" && block.items.every(({ isChecked }) => isChecked !== undefined);
}

/** The item of a task list that a paragraph with a checkbox is. */
export function taskOf(block: Block | undefined): ListItem | undefined {
  if (block?.kind !== "paragraph") return undefined;
  const [first, ...others] = block.content;
  const box = first?.kind === "text" ? BOX.exec(first.text) : null;
  if (first?.kind !== "text" || !box) return undefined;
  const rest: readonly Inline[] = [{ ...first, text: first.text.slice(box[0].length) }, ...others];
  const content = rest.filter((inline) => inline.kind !== "text" || inline.text !== "");
  return { number: undefined, isChecked: box[1] !== "☐", blocks: [{ kind: "paragraph", content }] };
}
