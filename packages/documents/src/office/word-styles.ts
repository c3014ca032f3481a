import { isTypewriter } from "./typewriter.ts";
import { childAt, childrenOf, parseXml, type XmlElement } from "./xml.ts";

/** Styles based on each other in a circle end here. */
const MAX_ANCESTORS = 30;

/** What a style, a paragraph or a run says of itself. Undefined where it says nothing. */
interface WordLooks {
  readonly isHidden: boolean | undefined;
  readonly isTypewriter: boolean | undefined;
  /** From 0; 9 is text. */
  readonly outlineLevel: number | undefined;
  /** In twentieths of a point. */
  readonly indent: number | undefined;
  readonly numbering: { readonly id: string | undefined; readonly level: number | undefined } | undefined;
}

/** The styles of a Word document, by their ids. */
export class WordStyles {
  readonly #styles: ReadonlyMap<string, XmlElement>;

  constructor(xml: string | undefined) {
    const root = xml === undefined ? undefined : parseXml(xml);
    const named = childrenOf(root, "w:style");
    this.#styles = new Map(named.map((style) => [style.attributes["w:styleId"] ?? "", style]));
  }

  /** What a style says, or the first of those that it is based on that says anything. */
  find<Value>(id: string | undefined, valueOf: (looks: WordLooks) => Value | undefined): Value | undefined {
    let style = id === undefined ? undefined : this.#styles.get(id);
    for (let steps = 0; style && steps < MAX_ANCESTORS; steps++) {
      const value = valueOf(looksOf(style));
      if (value !== undefined) return value;
      style = this.#styles.get(valueAt(style, "w:basedOn") ?? "");
    }
    return undefined;
  }
}

/** @param owner has properties of a paragraph, of runs, or both, as a style has */
export function looksOf(owner: XmlElement): WordLooks {
  const run = childAt(owner, "w:rPr");
  const paragraph = childAt(owner, "w:pPr");
  const font = childAt(run, "w:rFonts")?.attributes;
  const name = font?.["w:ascii"] ?? font?.["w:hAnsi"];
  const level = valueAt(paragraph, "w:outlineLvl") ?? HEADING.exec(valueAt(owner, "w:name") ?? "")?.[1];
  const numbering = childAt(paragraph, "w:numPr");
  const numberingLevel = valueAt(numbering, "w:ilvl");
  return {
    isHidden: switchAt(run, "w:vanish"),
    isTypewriter: name === undefined ? undefined : isTypewriter(name),
    outlineLevel:
      level === undefined ? undefined : Number(level) - (valueAt(paragraph, "w:outlineLvl") ? 0 : 1),
    indent: indentAt(owner),
    numbering: numbering && {
      id: valueAt(numbering, "w:numId"),
      level: numberingLevel === undefined ? undefined : Number(numberingLevel),
    },
  };
}

const HEADING = /^heading ([1-9])$/i;

export function indentAt(owner: XmlElement): number | undefined {
  const indent = childAt(owner, "w:pPr", "w:ind")?.attributes;
  const left = Number.parseFloat(indent?.["w:left"] ?? indent?.["w:start"] ?? "");
  return Number.isNaN(left) ? undefined : left;
}

export function valueAt(parent: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  return childAt(parent, ...path)?.attributes["w:val"];
}

/** A property that is on or off, and on without a value. Undefined if it is absent. */
export function switchAt(parent: XmlElement | undefined, name: string): boolean | undefined {
  const found = childAt(parent, name);
  return found && !/^(?:0|false|off)$/.test(found.attributes["w:val"] ?? "");
}
