/** An inline construct that encloses other inline content. */
export type Mark =
  | { readonly kind: "strong" | "emphasis" | "strike" }
  | { readonly kind: "link"; readonly url: string; readonly title: string };

export interface OpenPiece {
  readonly kind: "open";
  mark: Mark;
  /** Set when the mark turned out to be unwanted: it is then rendered as nothing. */
  isCancelled: boolean;
}

/** A piece of a line of inline content, in order. Text is not escaped yet, verbatim is finished Markdown. */
export type Piece =
  | { readonly kind: "text"; text: string }
  | { readonly kind: "verbatim"; readonly text: string }
  | { readonly kind: "gap"; readonly gap: Gap }
  | OpenPiece
  | { readonly kind: "close"; readonly open: OpenPiece };

/** White space between pieces: a space, a line break, or several line breaks in a row. */
export type Gap = "space" | "break" | "paragraph";

const BLANKS = /[\s\u00a0]+/g;
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;
const NEEDS_FOLDING = /[^\S ]|[\u00ad\u200b\u2060]| {2}/;

/** Folds white space as a browser does; no-break spaces count as spaces, invisible characters are dropped. */
export function foldText(text: string): string {
  return NEEDS_FOLDING.test(text) ? text.replace(INVISIBLE, "").replace(BLANKS, " ") : text;
}

/**
 * Collects inline content. White space is folded across pieces and moved out of marks (`**a** b`, never
 * `**a **b`), and a mark is only opened once it has content: empty ones leave no trace.
 */
export class InlineRun {
  readonly #pieces: Piece[] = [];
  /** Everything open, outermost first; the last `#pending` of them have no content yet. */
  readonly #opened: OpenPiece[];
  #pending: number;
  #gap: Gap | undefined;

  /** @param marks - marks that enclose the run from its start, outermost first */
  constructor(marks: readonly Mark[] = []) {
    this.#opened = marks.map(openPiece);
    this.#pending = marks.length;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  text(raw: string): void {
    const folded = foldText(raw);
    const text = folded.trim();
    if (folded.startsWith(" ")) this.space();
    if (text === "") return;
    const previous =
      this.#pending === 0 && this.#gap !== "break" && this.#gap !== "paragraph" && this.#pieces.at(-1);
    if (previous && previous.kind === "text") {
      previous.text += this.#gap === "space" ? ` ${text}` : text;
      this.#gap = undefined;
    } else {
      this.#admit();
      this.#pieces.push({ kind: "text", text });
    }
    if (folded.endsWith(" ")) this.space();
  }

  /** Adds finished Markdown, such as a code span or an image. */
  verbatim(markdown: string): void {
    this.#admit();
    this.#pieces.push({ kind: "verbatim", text: markdown });
  }

  space(): void {
    if (!this.isEmpty) this.#gap ??= "space";
  }

  /** A line break; a second one in a row separates paragraphs. */
  lineBreak(): void {
    if (this.isEmpty) return;
    this.#gap = this.#gap === "break" || this.#gap === "paragraph" ? "paragraph" : "break";
  }

  /** The edge of a block: a line break unless there is one already. */
  edge(): void {
    if (!this.isEmpty && this.#gap !== "paragraph") this.#gap = "break";
  }

  open(mark: Mark): void {
    this.#opened.push(openPiece(mark));
    this.#pending++;
  }

  /** Closes the innermost mark if it is `mark`; after a new line has begun it may be gone already. */
  close(mark: Mark): void {
    if (this.#opened.at(-1)?.mark !== mark) return;
    const open = this.#opened.pop();
    if (this.#pending > 0) this.#pending--;
    else if (open) this.#pieces.push({ kind: "close", open });
  }

  /** The innermost mark is `mark` and has no content. */
  isUnused(mark: Mark): boolean {
    return this.#pending > 0 && this.#opened.at(-1)?.mark === mark;
  }

  isInside(kind: Mark["kind"]): boolean {
    return this.#opened.some((open) => open.mark.kind === kind);
  }

  /** The mark encloses pieces, but no text among them. */
  holdsNoText(mark: Mark): boolean {
    const start = this.#pieces.findLastIndex((piece) => piece.kind === "open" && piece.mark === mark);
    return start >= 0 && !this.#pieces.slice(start).some((piece) => piece.kind === "text");
  }

  /** Takes a mark back: its content stays, the mark is not written. */
  cancel(mark: Mark): void {
    for (const open of this.#opened) if (open.mark === mark) open.isCancelled = true;
  }

  /** Closes what is open and returns the pieces together with the marks that were still open. */
  finish(): { readonly pieces: readonly Piece[]; readonly openMarks: readonly Mark[] } {
    const openMarks = this.#opened.map((open) => open.mark);
    for (const mark of openMarks.toReversed()) this.close(mark);
    return { pieces: this.#pieces, openMarks };
  }

  /** Makes room for content: the white space before it, then the marks that were waiting for it. */
  #admit(): void {
    const waiting = this.#opened.slice(this.#opened.length - this.#pending);
    if (this.#gap === undefined && waiting.length > 0) this.#join(waiting);
    if (this.#gap !== undefined) this.#pieces.push({ kind: "gap", gap: this.#gapToWrite() });
    this.#gap = undefined;
    this.#pieces.push(...waiting.slice(waiting.length - this.#pending));
    this.#pending = 0;
  }

  /** Continues a mark that has just been closed, and keeps two links apart that touch. */
  #join(waiting: readonly OpenPiece[]): void {
    const last = this.#pieces.at(-1);
    const first = waiting[0];
    if (last?.kind !== "close" || !first || last.open.mark.kind !== first.mark.kind) return;
    if (first.mark.kind === "link") {
      this.#gap = "space";
      return;
    }
    this.#pieces.pop();
    last.open.mark = first.mark;
    this.#opened[this.#opened.length - this.#pending] = last.open;
    this.#pending--;
  }

  #gapToWrite(): Gap {
    const isWholeParagraph = this.#opened.length === this.#pending;
    return this.#gap === "paragraph" && !isWholeParagraph ? "break" : (this.#gap ?? "space");
  }
}

function openPiece(mark: Mark): OpenPiece {
  return { kind: "open", mark, isCancelled: false };
}
