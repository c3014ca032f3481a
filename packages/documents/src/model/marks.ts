import type { Inline } from "./document.ts";

/**
 * What the engine has no notation for goes through it as text between signs that no text holds: Unicode keeps them
 * for programs.
 */
const FORMULA_START = "\uFDD0";
const FORMULA_END = "\uFDD1";
/** Begins a line of code. */
export const CODE_LINE = "\uFDD2";
/** Begins a paragraph of a list that has no mark. */
export const CONTINUED = "\uFDD5";
/** Begins a paragraph of a list that is in another, once for each list around it and once for itself. */
export const NESTED = "\uFDD7";
/** Around code within a line. */
const CODE_START = "\uFDD8";
const CODE_END = "\uFDD9";
/** Ends a line of a cell. */
export const LINE_BREAK = "\uFDDA";
/** Begins the title of a chart. */
export const CHART_TITLE = "\uFDD6";
/** In a cell of a row, or of a column, that the program does not show. */
export const HIDDEN_ROW = "\uFDD3";
export const HIDDEN_COLUMN = "\uFDD4";

/** In old workbooks, whose cells have room for numbers only: no sheet has such small ones. */
const TINY = /^(-?)0\.0{90}/;

/** What is not shown where this is the text of a cell. */
export function hiddenBy(text: string): "row" | "column" | undefined {
  const tiny = TINY.exec(text)?.[1];
  if (text === HIDDEN_ROW || tiny === "") return "row";
  return text === HIDDEN_COLUMN || tiny === "-" ? "column" : undefined;
}

const FORMULA = new RegExp(`${FORMULA_START}(\\d+)${FORMULA_END}`);

export function codeSpan(text: string): string {
  return `${CODE_START}${text}${CODE_END}`;
}

/** Around a link: where it leads, and behind the second what it says. */
const LINK = "\uFDDB";
const LINKED = new RegExp(`^${LINK}([^${LINK}]*)${LINK}(.*)${LINK}$`, "s");

export function linkedText(url: string, text: string): string {
  return `${LINK}${url}${LINK}${text}${LINK}`;
}

/** The address and the words of a text that is a link. */
export function linkIn(text: string): readonly [url: string, words: string] | undefined {
  const [, url = "", words = ""] = text.startsWith(LINK) ? (LINKED.exec(text) ?? []) : [];
  return url === "" ? undefined : [url, words.replaceAll(LINK, "")];
}

/** A text, and between its other parts the code in it: the second, the fourth … */
export function splitCode(text: string): readonly string[] {
  return text.split(/\uFDD8([^\uFDD9]*)\uFDD9/);
}

/** The greater half of the first number that stands for a text, and how much the next ones are greater. */
const FIRST_NUMBER = 0x24000000;
const NUMBER_STEP = 4;
const MAX_NUMBERS = 1 << 24;

/** Formulas of a file, as MathML, and numbers as they are shown. */
export class Formulas {
  readonly #written: string[] = [];
  readonly #numbers: string[] = [];
  readonly #known = new Map<string, number>();

  /** Keeps a formula, and returns the text that stands for it. */
  add(mathMl: string): string {
    return `${FORMULA_START}${this.#written.push(mathMl) - 1}${FORMULA_END}`;
  }

  /**
   * Keeps a number as it is shown, and returns the greater half of a number that stands for it, where there is room
   * for no more. Its other half, and its two last bits, are 0. Undefined if there are too many.
   */
  addNumber(shown: string): number | undefined {
    const known = this.#known.get(shown);
    const half = known ?? FIRST_NUMBER + this.#numbers.length * NUMBER_STEP;
    if (known === undefined && this.#numbers.length < MAX_NUMBERS) {
      this.#known.set(shown, half);
      this.#numbers.push(shown);
    }
    return this.#known.get(shown);
  }

  #numberAt(text: string): string | undefined {
    if (this.#numbers.length === 0 || !TINY.test(text)) return undefined;
    const half = new DataView(Float64Array.of(Number(text)).buffer).getUint32(4, true);
    // The engine writes fifteen digits.
    return this.#numbers[Math.round((half - FIRST_NUMBER) / NUMBER_STEP)];
  }

  /** The formulas in a text, and what is between them. */
  split(text: string): readonly (string | Extract<Inline, { kind: "formula" }>)[] {
    const number = this.#numberAt(text);
    if (number !== undefined) return [number];
    if (!text.includes(FORMULA_START)) return [text];
    return text.split(FORMULA).map((part, at) => {
      const mathMl = at % 2 === 1 ? this.#written[Number(part)] : undefined;
      return mathMl === undefined ? part : { kind: "formula", mathMl };
    });
  }
}
