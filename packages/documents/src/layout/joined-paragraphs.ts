import type { LaidOutBlock, LaidOutPage } from "./laid-out-page.ts";
import { seamOf } from "./text/characters.ts";

/** Height of a column of text, in points. */
const LEAST_COLUMN = 30;

/** Marks paragraphs that continue with the one before, on the page before or in the column before. */
export function joinParagraphs(pages: readonly LaidOutPage[]): LaidOutPage[] {
  let open: Open | undefined;
  return pages.map((page) => {
    const blocks = page.blocks.map((block) => {
      const isText = block.type === "text" && block.label === undefined && block.body.kind === "text";
      if (!isText) {
        // Tables, captions and footnotes may be between the two halves of a paragraph.
        if (endsText(block)) open = undefined;
        return block;
      }
      const text = textOf(block);
      const seam =
        open && goesOn(open, { text, block, page: page.number }) ? seamOf(open.text, text) : undefined;
      open = { text, block, page: page.number };
      if (!seam) return block;
      const name = seam.dropsHyphen ? "closed hyphen" : seam.space === " " ? "space" : "none";
      return { ...block, seam: name } as const;
    });
    return { ...page, blocks };
  });
}

interface Open {
  readonly text: string;
  readonly block: LaidOutBlock;
  readonly page: number;
}

function endsText({ isShown, body }: LaidOutBlock): boolean {
  return isShown || body.kind === "heading";
}

function textOf({ body }: LaidOutBlock): string {
  return body.kind === "text" ? body.runs.map(({ text }) => text).join("") : "";
}

function goesOn(before: Open, after: Open): boolean {
  const isElsewhere = before.page !== after.page || isInNextColumn(before.block, after.block);
  return isElsewhere && /[\p{Ll},\-–]$/u.test(before.text) && /^\p{Ll}/u.test(after.text);
}

/** Whether a block begins above the end of the one before it, right of it; single lines next to each other are not columns. */
function isInNextColumn({ box: before }: LaidOutBlock, { box: after }: LaidOutBlock): boolean {
  const isColumn = before[3] - before[1] > LEAST_COLUMN;
  return isColumn && after[1] < before[3] - LEAST_COLUMN && after[0] > before[2];
}
