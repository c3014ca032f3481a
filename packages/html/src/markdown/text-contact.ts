import { areApart, type Touch } from "./touch.ts";

/** Characters of a text that tell how it goes together with the next. */
const TOUCHED_MAX = 24;

/** Remembers the last texts of a line, and how what comes next would touch them. */
export class TextContact {
  #last = "";
  /** The end of the text before that one, where the two touch. */
  #before = "";
  #touch: Touch = "inside";

  /** The text that was added last; "" once something else has been. */
  get last(): string {
    return this.#last;
  }

  /** The end of the last two texts. */
  get end(): string {
    return this.#before + this.#last.slice(-TOUCHED_MAX);
  }

  /** Whether this text is shown apart from the last one. */
  isApart(text: string): boolean {
    return areApart(this.#last, text, this.#touch);
  }

  /** @param isTouching - nothing is between this text and the last one */
  add(text: string, isTouching: boolean): void {
    this.#before = isTouching ? this.#last.slice(-TOUCHED_MAX) : "";
    this.#last = text;
    this.#touch = "inside";
  }

  /** An inline element starts; `isMark` when it only says how its text looks. */
  startElement(isMark: boolean): void {
    if (this.#touch === "inside") this.#touch = "start";
    else if (this.#touch === "end" && !isMark) this.#touch = "siblings";
  }

  /** An inline element ends. */
  endElement(): void {
    if (this.#touch !== "siblings" && this.#touch !== "image") this.#touch = "end";
  }

  /** What comes next is behind an image. */
  addImage(): void {
    this.forgetTexts();
    this.#touch = "image";
  }

  /** Something that is not text has been added. */
  forgetTexts(): void {
    this.#last = "";
    this.#before = "";
  }

  /** A new line starts. */
  reset(): void {
    this.forgetTexts();
    this.#touch = "inside";
  }
}
