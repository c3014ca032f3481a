import { foldText } from "./fold.ts";
import {
  type Gap,
  gapPiece,
  isPunctuationIn,
  type Mark,
  markPiece,
  type Piece,
  type PlacedMark,
  textPiece,
  verbatimPiece,
} from "./piece.ts";
import { isPlainText } from "./plain-text.ts";
import { TextContact } from "./text-contact.ts";
import { endsWord, isOneWord } from "./touch.ts";

/** The pieces of a line, and the marks that were still open at its end. */
export interface FinishedRun {
  readonly pieces: readonly Piece[];
  readonly openMarks: readonly Mark[];
  /** Whether the pieces include a mark other than a link. */
  readonly hasEmphasis: boolean;
  readonly hasBreaks: boolean;
}

const NO_MARKS: readonly Mark[] = [];

const SPACE = 32;

/**
 * Collects inline content. White space is folded across pieces and moved out of marks (`**a** b`, never `**a
 * **b`). A mark opens only once it has content, so empty marks leave no trace.
 */
export class InlineRun {
  #pieces: Piece[] = [];
  /** All open marks, outermost first. The last `#pending` of them have no content yet. */
  readonly #opened: PlacedMark[] = [];
  #pending = 0;
  #gap: Gap | undefined;
  #hasEmphasis = false;
  #hasBreaks = false;
  readonly #contact = new TextContact();

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get isUntouched(): boolean {
    return this.#pieces.length === 0 && this.#opened.length === 0;
  }

  /** The end of the last two texts, which the next text would touch; "" when it would touch none. */
  get textBefore(): string {
    return this.#gap === undefined ? this.#contact.end : "";
  }

  text(raw: string): void {
    const isPlain = isPlainText(raw);
    const folded = isPlain ? raw : foldText(raw);
    if (folded.charCodeAt(0) === SPACE) this.space();
    const text = folded.trim();
    if (text === "") return;
    if (this.#gap === undefined && this.#contact.isApart(text)) this.space();
    const isTouching = this.#gap === undefined;
    this.#append(text, isPlain);
    this.#contact.add(text, isTouching);
    if (folded.charCodeAt(folded.length - 1) === SPACE) this.space();
  }

  /** Records the start of an inline element. `isMark` is true when it only changes how its text looks. */
  startElement(isMark: boolean): void {
    this.#contact.startElement(isMark);
  }

  endElement(): void {
    this.#contact.endElement();
  }

  /** Adds an image, separated from the words around it. */
  image(markdown: string): void {
    this.imageLeftOut();
    this.verbatim(markdown);
    this.#contact.addImage();
  }

  /** Records an omitted image: it still separates the words around it. */
  imageLeftOut(): void {
    if (this.#gap === undefined && endsWord(this.#contact.last)) this.space();
  }

  /** Adds finished Markdown, such as a code span or an image. */
  verbatim(markdown: string): void {
    this.#contact.forgetTexts();
    this.#admit("");
    this.#pieces.push(verbatimPiece(markdown));
  }

  space(): void {
    if (!this.isEmpty) this.#gap ??= "space";
  }

  /** Adds a line break. A second one in a row separates paragraphs. */
  lineBreak(): void {
    if (this.isEmpty) return;
    this.#gap = this.#gap === "break" || this.#gap === "paragraph" ? "paragraph" : "break";
  }

  /** Adds a line break at the edge of a block, unless there is one already. */
  edge(): void {
    if (!this.isEmpty && this.#gap !== "paragraph") this.#gap = "break";
  }

  open(mark: Mark): void {
    this.#opened.push(placed(mark));
    this.#pending++;
    this.#hasEmphasis ||= isEmphasis(mark);
  }

  /** Closes the innermost mark if it is `mark`. After a new line has begun, the mark may be gone already. */
  close(mark: Mark | undefined): void {
    if (this.#opened.at(-1)?.mark !== mark) return;
    const open = this.#opened.pop();
    if (this.#pending > 0) this.#pending--;
    else if (open) {
      open.isCancelled ||= isEmphasis(open.mark) && isPunctuationIn(open, this.#pieces);
      this.#pieces.push(markPiece("close", open));
    }
  }

  /** Whether the innermost mark is `mark` and has no content. */
  isUnused(mark: Mark): boolean {
    return this.#pending > 0 && this.#opened.at(-1)?.mark === mark;
  }

  isInside(kind: Mark["kind"]): boolean {
    return this.#opened.some((open) => open.mark.kind === kind);
  }

  /** Whether the mark encloses pieces, but no text among them. */
  holdsNoText(mark: Mark): boolean {
    for (let at = this.#pieces.length - 1; at >= 0; at--) {
      const piece = this.#pieces[at];
      if (piece?.kind === "text") return false;
      if (piece?.kind === "open" && piece.placed.mark === mark) return true;
    }
    return false;
  }

  /** Cancels a mark: its content stays, the mark is not written. */
  cancel(mark: Mark): void {
    for (const open of this.#opened) if (open.mark === mark) open.isCancelled = true;
  }

  /** Closes all open marks, returns the pieces and starts over. */
  finish(): FinishedRun {
    const openMarks = this.#opened.length === 0 ? NO_MARKS : this.#opened.map((open) => open.mark);
    for (let at = openMarks.length - 1; at >= 0; at--) this.close(openMarks[at]);
    const line = {
      pieces: this.#pieces,
      openMarks,
      hasEmphasis: this.#hasEmphasis,
      hasBreaks: this.#hasBreaks,
    };
    this.#pieces = [];
    this.#gap = undefined;
    this.#hasEmphasis = false;
    this.#hasBreaks = false;
    this.#contact.reset();
    return line;
  }

  #append(text: string, isPlain: boolean): void {
    const isJoinable = this.#pending === 0 && (this.#gap === undefined || this.#gap === "space");
    const previous = isJoinable ? this.#pieces.at(-1) : undefined;
    if (previous?.kind !== "text") {
      this.#admit(text);
      this.#pieces.push(textPiece(text, isPlain));
      return;
    }
    previous.text += this.#gap === "space" ? ` ${text}` : text;
    previous.isPlain &&= isPlain;
    this.#gap = undefined;
  }

  /**
   * Makes room for content: adds the white space before it, then the marks that were waiting for it.
   * @param text - the content when it is text
   */
  #admit(text: string): void {
    if (this.#pending > 0) this.#admitMarks(text);
    else this.#writeGap();
  }

  #admitMarks(text: string): void {
    if (this.#gap === undefined) this.#join(text);
    this.#writeGap();
    const { length } = this.#opened;
    for (let at = length - this.#pending; at < length; at++) {
      const open = this.#opened[at];
      if (open !== undefined) this.#pieces.push(markPiece("open", open));
    }
    this.#pending = 0;
  }

  /** Continues a mark that was just closed. Separates two adjacent links, unless they divide a word. */
  #join(text: string): void {
    const last = this.#pieces.at(-1);
    const first = this.#opened[this.#opened.length - this.#pending];
    if (
      last?.kind !== "close" ||
      last.placed.isCancelled ||
      !first ||
      last.placed.mark.kind !== first.mark.kind
    )
      return;
    if (
      first.mark.kind === "link" &&
      !(isSameLink(last.placed.mark, first.mark) && isOneWord(this.#contact.last, text))
    ) {
      this.#gap = "space";
      return;
    }
    this.#pieces.pop();
    last.placed.mark = first.mark;
    this.#opened[this.#opened.length - this.#pending] = last.placed;
    this.#pending--;
  }

  #writeGap(): void {
    const gap = this.#gap;
    if (gap === undefined) return;
    const isWholeParagraph = this.#opened.length === this.#pending;
    this.#pieces.push(gapPiece(gap === "paragraph" && !isWholeParagraph ? "break" : gap));
    this.#hasBreaks ||= gap !== "space";
    this.#gap = undefined;
  }
}

function placed(mark: Mark): PlacedMark {
  return { mark, isCancelled: false };
}

function isSameLink(left: Mark, right: Mark): boolean {
  return left.kind === "link" && right.kind === "link" && left.destination === right.destination;
}

function isEmphasis(mark: Mark): boolean {
  return mark.kind !== "link";
}
