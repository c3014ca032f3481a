import type { BlockType } from "../model/blocks.ts";
import type { PageParts, Part } from "./page-parts.ts";

/** A finer type than the interface's, which the Markdown needs too. */
export type PartLabel = "list_item" | "code" | "footnote";

/** A part, and what it is. */
export interface TypedPart {
  readonly part: Part;
  readonly type: BlockType;
  readonly label: PartLabel | undefined;
  /** Stands at the edge of its page for the page's sake, and is left out of the Markdown. */
  readonly isFurniture: boolean;
  /** Of headings that say it themselves, from 1. */
  readonly level: number | undefined;
  /** How likely the type is, 0 to 1; undefined where a rule decided. */
  readonly confidence: number | undefined;
}

export interface TypedPage extends Omit<PageParts, "parts"> {
  readonly parts: readonly TypedPart[];
}

/** Whether its words are in the Markdown. */
export function isShown({ type, isFurniture }: TypedPart): boolean {
  return type !== "figure" && !isFurniture;
}
