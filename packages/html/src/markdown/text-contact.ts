import { areApart, type Touch } from "./touch.ts";

/** Characters at the end of a text that decide how it joins the next text. */
const TOUCHED_MAX = 24;

/** Remembers the last texts of a line, and how the next text would touch them. */
export class TextContact {
  #last = "";
  /** The end of the text before the last one, when the two touch. */
  #before = "";
  #touch: Touch = "inside";

  /** The last text added; "" once something else has been added. */
  get last(): string {
    return this.#last;
  }

  get end(): string {
    return this.#before + this.#last.slice(-TOUCHED_MAX);
  }

  /** Whether this text is shown apart from the last one. */
  isApart(text: string): boolean {
    return areApart(this.#last, text, this.#touch);
  }

  /** @param isTouching - whether nothing is between this text and the last one */
  add(text: string, isTouching: boolean): void {
    this.#before = isTouching ? this.#last.slice(-TOUCHED_MAX) : "";
    this.#last = text;
    this.#touch = "inside";
  }

  /** Records the start of an inline element. `isMark` is true when it only changes how its text looks. */
  startElement(isMark: boolean): void {
    if (this.#touch === "inside") this.#touch = "start";
    else if (this.#touch === "end" && !isMark) this.#touch = "siblings";
  }

  endElement(): void {
    if (this.#touch !== "siblings" && this.#touch !== "image") this.#touch = "end";
  }

  /** Records that an image precedes the next text. */
  addImage(): void {
    this.forgetTexts();
    this.#touch = "image";
  }

  /** Records that something other than text was added. */
  forgetTexts(): void {
    this.#last = "";
    this.#before = "";
  }

  reset(): void {
    this.forgetTexts();
    this.#touch = "inside";
  }
}
