import type { BlockType } from "../../../contract/document-blocks.ts";
import { startsAsCaption } from "./captions.ts";
import { findFurniture, type FurnitureType } from "./furniture.ts";
import { headingEvidence } from "./headings.ts";
import type { OutlineEntry } from "./page.ts";
import type { PageParts, Part } from "./page-parts.ts";
import type { Paragraph } from "./paragraphs.ts";
import type { UsualLook } from "./text-line.ts";

/** A finer type than the interface's, which the Markdown needs too. */
export type PartLabel = "list_item" | "code" | "footnote";

/** A part, and what it is. */
export interface TypedPart {
  readonly part: Part;
  readonly type: BlockType;
  readonly label: PartLabel | undefined;
  /** Of headings that say it themselves, from 1. */
  readonly level: number | undefined;
}

export interface TypedPage extends Omit<PageParts, "parts"> {
  readonly parts: readonly TypedPart[];
}

/** What is known of the whole document. */
export interface DocumentFacts {
  readonly usual: UsualLook;
  readonly outline: readonly OutlineEntry[];
}

/** Decides what each part of a document is. */
export function typeParts(pages: readonly PageParts[], { usual, outline }: DocumentFacts): TypedPage[] {
  const furniture = findFurniture(pages, usual.size);
  const titles = new Map(outline.map(({ title, depth }) => [plainTitle(title), depth]));
  return pages.map((page) => {
    const parts = page.parts.map((part, at) => {
      const isLast = at === page.parts.length - 1;
      return typed(part, typeOf(part, { furniture, titles, usual, isLast }));
    });
    return { ...page, parts };
  });
}

interface Context {
  readonly furniture: ReadonlyMap<Part, FurnitureType>;
  /** Titles of the outline without white and marks → depth. */
  readonly titles: ReadonlyMap<string, number>;
  readonly usual: UsualLook;
  readonly isLast: boolean;
}

type Decision = BlockType | PartLabel | { readonly level: number | undefined };

function typeOf(part: Part, context: Context): Decision {
  if (part.kind !== "text") return part.kind;
  return context.furniture.get(part) ?? typeByTag(part) ?? typeByText(part, context);
}

function typed(part: Part, decision: Decision): TypedPart {
  if (typeof decision === "object")
    return { part, type: "section_header", label: undefined, level: decision.level };
  if (decision === "list_item" || decision === "code" || decision === "footnote")
    return { part, type: "text", label: decision, level: undefined };
  return { part, type: decision, label: undefined, level: undefined };
}

function typeByTag({ lines }: Paragraph): Decision | undefined {
  const role = lines[0]?.tag?.role;
  if (role === undefined || !lines.every(({ tag }) => tag?.role === role)) return undefined;
  if (role === "Caption") return "caption";
  if (!/^H\d?$/.test(role)) return undefined;
  return { level: role === "H" ? undefined : Number(role.slice(1)) };
}

function typeByText(part: Paragraph, { titles, usual, isLast }: Context): Decision {
  const { text, lines, marker } = part;
  if (marker && !marker.isOrdered) return "list_item";
  if (startsAsCaption(text) && lines.length <= 8) return "caption";
  if (!usual.isMonospaced && lines.every(({ isMonospaced }) => isMonospaced)) return "code";
  const depth = titles.get(plainTitle(text));
  if (depth !== undefined) return { level: undefined };
  if (!lines[0]?.tag && headingEvidence(part, isLast, usual) > 0) return { level: undefined };
  return marker ? "list_item" : "text";
}

function plainTitle(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\d.\s]+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
