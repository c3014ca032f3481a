import { placeDelimiters } from "./emphasis.ts";
import {
  characterAt,
  characterBefore,
  escapeDestination,
  escapeLineStart,
  escapeText,
  formatTitle,
} from "./escape.ts";
import type { Gap, Piece } from "./inline-run.ts";

/** Where inline content stands: a paragraph may break lines, a heading may not, a table cell uses `<br>`. */
export type InlineStyle = "paragraph" | "heading" | "cell";

const GAPS: Readonly<Record<InlineStyle, Readonly<Record<Gap, string>>>> = {
  paragraph: { space: " ", break: "\\\n", paragraph: "\n\n" },
  heading: { space: " ", break: " ", paragraph: " " },
  cell: { space: " ", break: "<br>", paragraph: "<br>" },
};

/** Markdown of a run of inline content, without white space at its ends. */
export function renderInline(run: readonly Piece[], style: InlineStyle): string {
  const pieces = placeDelimiters(run);
  const parts: string[] = [];
  /** Index of the first part behind each open `[`. */
  const links: number[] = [];
  let isLineStart = true;
  for (const [at, piece] of pieces.entries()) {
    const written = writePiece(piece, links, parts);
    if (piece.kind === "text") {
      const before = isLineStart ? "" : lastCharacter(parts);
      const after = firstCharacter(pieces[at + 1], style);
      const text = escapeText(piece.text, { before, after, insideLink: links.length > 0 });
      parts.push(isLineStart && style === "paragraph" ? escapeLineStart(text, after) : text);
    } else {
      parts.push(piece.kind === "gap" ? GAPS[style][piece.gap] : written);
    }
    isLineStart =
      piece.kind === "gap"
        ? piece.gap !== "space" && style === "paragraph"
        : isLineStart && written === "" && piece.kind !== "text";
  }
  const markdown = parts.join("");
  return style === "cell" ? markdown.replaceAll("|", "\\|") : markdown;
}

function writePiece(piece: Piece, links: number[], parts: readonly string[]): string {
  if (piece.kind === "verbatim") return piece.text;
  if (piece.kind !== "open" && piece.kind !== "close") return "";
  const open = piece.kind === "open" ? piece : piece.open;
  if (open.mark.kind !== "link" || open.isCancelled) return "";
  if (piece.kind === "open") {
    links.push(parts.length + 1);
    return "[";
  }
  const text = parts.slice(links.pop() ?? parts.length).join("");
  const title = open.mark.title.trim() === text ? "" : formatTitle(open.mark.title);
  return `](${escapeDestination(open.mark.url)}${title})`;
}

function lastCharacter(parts: readonly string[]): string {
  const last = parts.findLast((part) => part !== "") ?? "";
  return characterBefore(last, last.length);
}

function firstCharacter(piece: Piece | undefined, style: InlineStyle): string {
  if (piece === undefined) return "";
  if (piece.kind === "gap") return piece.gap === "space" || style === "heading" ? " " : "";
  if (piece.kind === "text" || piece.kind === "verbatim") return characterAt(piece.text, 0);
  return piece.kind === "open" ? "[" : "]";
}
