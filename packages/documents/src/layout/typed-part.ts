import type { BlockType } from "../model/blocks.ts";
import type { PageParts, Part } from "./page-parts.ts";

/** More specific than the contract's block types; the Markdown needs it. */
export type PartLabel = "list_item" | "code" | "footnote";

export interface TypedPart {
  readonly part: Part;
  readonly type: BlockType;
  readonly label: PartLabel | undefined;
  /** True for page furniture, which the Markdown leaves out. */
  readonly isFurniture: boolean;
  /** From 1, for headings whose tags give a level. */
  readonly level: number | undefined;
  /** Probability of the type, 0 to 1; undefined if a rule decided. */
  readonly confidence: number | undefined;
}

export interface TypedPage extends Omit<PageParts, "parts"> {
  readonly parts: readonly TypedPart[];
}

/** True if its words are in the Markdown. */
export function isShown({ type, isFurniture }: TypedPart): boolean {
  return type !== "figure" && !isFurniture;
}
