import { ownProperty } from "@pergamon-dev/kit/own-property";
import { childAt, childrenOf, parseXml, type XmlElement } from "./xml.ts";
import { indentAt, switchAt, valueAt } from "./word-styles.ts";

interface Level {
  readonly start: number;
  readonly format: string;
  /** With `%1` for the number of the first level. */
  readonly text: string;
  readonly style: string | undefined;
  /** Undefined where there are numbers. */
  readonly bullet: string | undefined;
  /** In twentieths of a point. */
  readonly indent: number | undefined;
  /** Whether numbers of higher levels are decimal here, whatever their own format is. */
  readonly isDecimal: boolean;
}

const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  decimal: String,
  decimalZero: (value) => String(value).padStart(2, "0"),
  upperRoman: romanNumber,
  lowerRoman: (value) => romanNumber(value).toLowerCase(),
  upperLetter: letters,
  lowerLetter: (value) => letters(value).toLowerCase(),
  none: () => "",
};

/** The numbers that Word shows before paragraphs, counted in document order. */
export class WordNumbering {
  /** By the id of a numbering: its levels, and the counter that it shares with others. */
  readonly #levels = new Map<string, readonly Level[]>();
  readonly #abstractIds = new Map<string, string>();
  readonly #restarts = new Map<string, ReadonlyMap<number, number>>();
  readonly #counters = new Map<string, (number | undefined)[]>();

  constructor(xml: string | undefined) {
    const root = xml === undefined ? undefined : parseXml(xml);
    const abstracts = new Map(
      childrenOf(root, "w:abstractNum").map((one) => [one.attributes["w:abstractNumId"], levelsOf(one)]),
    );
    for (const one of childrenOf(root, "w:num")) {
      const id = one.attributes["w:numId"] ?? "";
      const abstractId = valueAt(one, "w:abstractNumId") ?? "";
      const levels = [...(abstracts.get(abstractId) ?? [])];
      const restarts = new Map<number, number>();
      for (const override of childrenOf(one, "w:lvlOverride")) {
        const at = Number(override.attributes["w:ilvl"]);
        const level = childAt(override, "w:lvl");
        if (level) levels[at] = levelOf(level);
        const start = valueAt(override, "w:startOverride");
        if (start !== undefined) restarts.set(at, Number(start));
      }
      this.#levels.set(id, levels);
      this.#abstractIds.set(id, abstractId);
      this.#restarts.set(id, restarts);
    }
  }

  /** The level of a numbering that is meant for a style. Undefined if none is. */
  levelForStyle(id: string, style: string | undefined): number | undefined {
    const found = this.#levels.get(id)?.findIndex((level) => level?.style === style && style !== undefined);
    return found === undefined || found < 0 ? undefined : found;
  }

  /** The sign before paragraphs of a level that counts nothing, and how far they are indented. */
  levelOf(id: string, at: number): Pick<Level, "bullet" | "indent"> | undefined {
    return this.#levels.get(id)?.[at];
  }

  /**
   * Counts a paragraph, and returns its number as shown. Undefined for bullets, and for numbers in a format that
   * is not known here.
   */
  next(id: string, at: number): string | undefined {
    const levels = this.#levels.get(id);
    const level = levels?.[at];
    if (!levels || !level) return undefined;
    const counters = this.#countersOf(id);
    for (let above = 0; above < at; above++) counters[above] ??= levels[above]?.start ?? 1;
    counters[at] = (counters[at] ?? level.start - 1) + 1;
    counters.length = at + 1;
    let isKnown = level.format !== "bullet";
    const label = level.text.replace(/%(\d)/g, (_all, digit: string) => {
      const place = Number(digit) - 1;
      const format = ownProperty(FORMATS, level.isDecimal ? "decimal" : (levels[place]?.format ?? ""));
      isKnown &&= format !== undefined;
      return format?.(counters[place] ?? levels[place]?.start ?? 1) ?? "";
    });
    return isKnown ? label : undefined;
  }

  #countersOf(id: string): (number | undefined)[] {
    const abstractId = this.#abstractIds.get(id) ?? "";
    const counters = this.#counters.get(abstractId) ?? [];
    this.#counters.set(abstractId, counters);
    // A numbering that starts anew does so where it is first used.
    for (const [at, start] of this.#restarts.get(id) ?? []) counters[at] = start - 1;
    this.#restarts.delete(id);
    return counters;
  }
}

function levelsOf(abstract: XmlElement): readonly Level[] {
  const levels: Level[] = [];
  for (const level of childrenOf(abstract, "w:lvl")) {
    const at = Number(level.attributes["w:ilvl"]);
    if (at >= 0 && at < 9) levels[at] = levelOf(level);
  }
  return levels;
}

function levelOf(level: XmlElement): Level {
  const format = valueAt(level, "w:numFmt") ?? "decimal";
  const text = valueAt(level, "w:lvlText") ?? "";
  return {
    start: Number(valueAt(level, "w:start") ?? 1),
    format,
    text,
    bullet: format === "bullet" ? text.trim() : undefined,
    style: valueAt(level, "w:pStyle"),
    indent: indentAt(level),
    isDecimal: switchAt(level, "w:isLgl") ?? false,
  };
}

const ROMAN = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
] as const;

function romanNumber(value: number): string {
  let rest = Math.min(value, 10_000);
  let written = "";
  for (const [size, sign] of ROMAN) for (; rest >= size; rest -= size) written += sign;
  return written;
}

/** A to Z, then AA to ZZ, as Word counts. */
function letters(value: number): string {
  const letter = String.fromCharCode(65 + ((value - 1) % 26));
  return letter.repeat(Math.min(Math.ceil(value / 26), 100));
}
