import { placeDelimiters } from "./emphasis.ts";
import {
  characterAt,
  characterBefore,
  escapeDestination,
  escapeLineStart,
  escapeText,
  formatTitle,
} from "./escape.ts";
import type { Gap, Mark, Piece } from "./inline-run.ts";

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
  const line = new LineRenderer(style);
  for (const [at, piece] of pieces.entries()) line.write(piece, pieces[at + 1]);
  return style === "cell" ? line.toString().replaceAll("|", "\\|") : line.toString();
}

class LineRenderer {
  readonly #style: InlineStyle;
  readonly #parts: string[] = [];
  /** Index of the first part behind each open `[`. */
  readonly #links: number[] = [];
  #isLineStart = true;

  constructor(style: InlineStyle) {
    this.#style = style;
  }

  write(piece: Piece, next: Piece | undefined): void {
    if (piece.kind === "gap") {
      this.#parts.push(GAPS[this.#style][piece.gap]);
      this.#isLineStart = piece.gap !== "space" && this.#style === "paragraph";
      return;
    }
    const written = this.#render(piece, next);
    if (written === "") return;
    this.#parts.push(written);
    this.#isLineStart = false;
  }

  toString(): string {
    return this.#parts.join("");
  }

  #render(piece: Exclude<Piece, { kind: "gap" }>, next: Piece | undefined): string {
    if (piece.kind === "text") return this.#escape(piece.text, next);
    if (piece.kind === "verbatim") return this.#separate(piece.text);
    const open = piece.kind === "open" ? piece : piece.open;
    if (open.mark.kind !== "link" || open.isCancelled) return "";
    return piece.kind === "open" ? this.#openLink() : this.#closeLink(open.mark);
  }

  #escape(raw: string, next: Piece | undefined): string {
    const before = this.#isLineStart ? "" : this.#lastCharacter();
    const after = firstCharacter(next, this.#style);
    const text = escapeText(raw, { before, after, insideLink: this.#links.length > 0 });
    return this.#isLineStart && this.#style === "paragraph" ? escapeLineStart(text, after) : text;
  }

  /** Two code spans that touch would share their backticks. */
  #separate(verbatim: string): string {
    if (verbatim.startsWith("`") && this.#parts.at(-1)?.startsWith("`")) this.#parts.push(" ");
    return verbatim;
  }

  #openLink(): string {
    this.#links.push(this.#parts.length + 1);
    return "[";
  }

  #closeLink(mark: Extract<Mark, { kind: "link" }>): string {
    const text = this.#parts.slice(this.#links.pop() ?? this.#parts.length).join("");
    const title = mark.title.trim() === text ? "" : formatTitle(mark.title);
    return `](${escapeDestination(mark.url)}${title})`;
  }

  #lastCharacter(): string {
    const last = this.#parts.at(-1) ?? "";
    return characterBefore(last, last.length);
  }
}

function firstCharacter(piece: Piece | undefined, style: InlineStyle): string {
  if (piece === undefined) return "";
  if (piece.kind === "gap") return gapStart(GAPS[style][piece.gap]);
  if (piece.kind === "text" || piece.kind === "verbatim") return characterAt(piece.text, 0);
  return piece.kind === "open" ? "[" : "]";
}

/** A line that ends has nothing behind it; one that is broken has the backslash. */
function gapStart(gap: string): string {
  return gap.startsWith("\n") ? "" : gap.charAt(0);
}
