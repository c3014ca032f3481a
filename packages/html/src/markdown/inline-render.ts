import { placeDelimiters } from "./emphasis.ts";
import {
  characterAt,
  characterBefore,
  escapeLineStart,
  escapeText,
  formatTitle,
  needsEscape,
} from "./escape.ts";
import type { FinishedRun } from "./inline-run.ts";
import type { Gap, Mark, MarkPiece, Piece, TextPiece } from "./piece.ts";

/** Place of inline content: a paragraph may break lines, a heading may not, a table cell uses `<br>`. */
export type InlineStyle = "paragraph" | "heading" | "cell";

const GAPS: Readonly<Record<InlineStyle, Readonly<Record<Gap, string>>>> = {
  paragraph: { space: " ", break: "\\\n", paragraph: "\n\n" },
  heading: { space: " ", break: " ", paragraph: " " },
  cell: { space: " ", break: "<br>", paragraph: "<br>" },
};

/** Markdown of inline content, without white space at its ends. */
export function renderInline(run: FinishedRun, style: InlineStyle): string {
  const pieces = run.hasEmphasis ? placeDelimiters(run.pieces) : run.pieces;
  const line = new LineRenderer(style, run.hasEmphasis);
  for (let at = 0; at < pieces.length; at++) line.write(pieces, at);
  return finishLine(line.written, style);
}

/** Markdown of text alone on a line that is plain as `isPlainText` defines it. */
export function renderPlainText(text: string, style: InlineStyle): string {
  return finishLine(style === "paragraph" ? escapeLineStart(text, "") : text, style);
}

function finishLine(line: string, style: InlineStyle): string {
  return style === "cell" && line.indexOf("|") >= 0 ? line.replaceAll("|", "\\|") : line;
}

class LineRenderer {
  written = "";
  readonly #style: InlineStyle;
  readonly #hasEmphasis: boolean;
  /** The last piece written; empty pieces do not count. */
  #last = "";
  /** Offset after the `[` of the open link. Links do not nest. */
  #linkStart: number | undefined;
  #isLineStart = true;

  constructor(style: InlineStyle, hasEmphasis: boolean) {
    this.#style = style;
    this.#hasEmphasis = hasEmphasis;
  }

  write(pieces: readonly Piece[], at: number): void {
    const piece = pieces[at];
    if (piece === undefined) return;
    if (piece.kind === "gap") {
      this.#add(GAPS[this.#style][piece.text]);
      this.#isLineStart = piece.text !== "space" && this.#style === "paragraph";
      return;
    }
    const written = this.#render(piece, pieces[at + 1]);
    if (written === "") return;
    this.#add(written);
    this.#isLineStart = false;
  }

  #add(text: string): void {
    this.written += text;
    this.#last = text;
  }

  #render(piece: Exclude<Piece, { kind: "gap" }>, next: Piece | undefined): string {
    if (piece.kind === "text") return this.#escape(piece, next);
    return piece.kind === "verbatim" ? this.#separate(piece.text) : this.#renderMark(piece);
  }

  #renderMark({ kind, placed }: MarkPiece): string {
    if (placed.mark.kind !== "link" || placed.isCancelled) return "";
    return kind === "open" ? this.#openLink() : this.#closeLink(placed.mark);
  }

  #escape({ text, isPlain }: TextPiece, next: Piece | undefined): string {
    const escaped = isPlain || !needsEscape(text) ? text : this.#escapeInside(text, next);
    const startsLine = this.#isLineStart && this.#style === "paragraph";
    return startsLine ? escapeLineStart(escaped, firstCharacter(next, this.#style)) : escaped;
  }

  #escapeInside(text: string, next: Piece | undefined): string {
    const before = this.#isLineStart ? "" : characterBefore(this.#last, this.#last.length);
    const after = firstCharacter(next, this.#style);
    const insideLink = this.#linkStart !== undefined;
    return escapeText(text, { before, after, insideLink, hasEmphasis: this.#hasEmphasis });
  }

  /** Separates two adjacent code spans, which would otherwise share their backticks. */
  #separate(verbatim: string): string {
    if (verbatim.startsWith("`") && this.#last.startsWith("`")) this.#add(" ");
    return verbatim;
  }

  #openLink(): string {
    this.#linkStart = this.written.length + 1;
    return "[";
  }

  #closeLink(mark: Extract<Mark, { kind: "link" }>): string {
    const start = this.#linkStart;
    this.#linkStart = undefined;
    const isRepeated = mark.title === "" || mark.title.trim() === this.written.slice(start);
    return `](${mark.destination}${isRepeated ? "" : formatTitle(mark.title)})`;
  }
}

function firstCharacter(piece: Piece | undefined, style: InlineStyle): string {
  if (piece === undefined) return "";
  if (piece.kind === "gap") return gapStart(GAPS[style][piece.text]);
  if (piece.kind === "text" || piece.kind === "verbatim") return characterAt(piece.text, 0);
  return piece.kind === "open" ? "[" : "]";
}

/** A line that ends has nothing after it; a broken line has the backslash. */
function gapStart(gap: string): string {
  return gap.startsWith("\n") ? "" : gap.charAt(0);
}
