import { ownProperty } from "@pergamon-dev/kit/own-property";
import { escapeText } from "../model/html-escape.ts";
import { childAt, childrenOf, type XmlElement, type XmlNode, xmlText } from "./xml.ts";

/** Deeper formulas are written as their letters. */
const MAX_DEPTH = 60;

/** Combining characters of accents → signs that stand alone. */
const ACCENTS: Readonly<Record<string, string>> = {
  "\u0302": "^",
  "\u0303": "~",
  "\u0304": "¯",
  "\u0305": "¯",
  "\u0307": "˙",
  "\u0308": "¨",
  "\u20D7": "→",
};

/** MathML of an equation of Word: Office Math Markup Language, ISO/IEC 29500-1, 22.1. */
export function wordMathMl(equation: XmlElement): string {
  const isBlock = equation.name === "m:oMathPara";
  const lines = isBlock ? childrenOf(equation, "m:oMath") : [equation];
  return `<math${isBlock ? ' display="block"' : ""}>${lines.map((line) => rowOf(line, 0)).join("")}</math>`;
}

function rowOf(parent: XmlElement | undefined, depth: number): string {
  let row = "";
  // A word may be cut into runs.
  let signs = "";
  for (const child of parent?.children ?? []) {
    const isSigns = typeof child !== "string" && child.name === "m:r" && !isText(child);
    if (isSigns) signs += textOf(child);
    else {
      row += signsOf(signs) + partOf(child, depth + 1);
      signs = "";
    }
  }
  return `<mrow>${row}${signsOf(signs)}</mrow>`;
}

function partOf(node: XmlNode, depth: number): string {
  if (typeof node === "string" || node.name.endsWith("Pr")) return "";
  if (node.name === "m:r") return wordsOf(textOf(node));
  if (depth > MAX_DEPTH) return `<mtext>${escapeText(xmlText(node))}</mtext>`;
  const write = ownProperty(WRITERS, node.name);
  return write ? write(new Operands(node, depth)) : rowOf(node, depth);
}

/** The parts of a construct by their names. */
class Operands {
  readonly #node: XmlElement;
  readonly #depth: number;

  constructor(node: XmlElement, depth: number) {
    this.#node = node;
    this.#depth = depth;
  }

  row(name: string): string {
    return rowOf(childAt(this.#node, name), this.#depth);
  }

  rows(name: string): readonly string[] {
    return childrenOf(this.#node, name).map((child) => rowOf(child, this.#depth));
  }

  /** Cells of a matrix, by rows. */
  cells(): readonly (readonly string[])[] {
    return childrenOf(this.#node, "m:mr").map((row) =>
      childrenOf(row, "m:e").map((cell) => rowOf(cell, this.#depth + 1)),
    );
  }

  /** A property's value. Undefined if it is absent; "" if it has none. */
  property(name: string): string | undefined {
    const properties = this.#node.children.find(
      (child): child is XmlElement => typeof child !== "string" && child.name === `${this.#node.name}Pr`,
    );
    const found = childAt(properties, name);
    return found && (found.attributes["m:val"] ?? "");
  }

  sign(name: string, usual: string): string {
    const sign = this.property(name) ?? usual;
    return `<mo>${escapeText(ownProperty(ACCENTS, sign) ?? sign)}</mo>`;
  }

  /** Whether a part is absent, or hidden by a property. */
  lacks(name: string, hiding?: string): boolean {
    const hidden = hiding === undefined ? undefined : this.property(hiding);
    if (hidden !== undefined && !/^(?:0|false|off)$/.test(hidden)) return true;
    const part = childAt(this.#node, name);
    return part === undefined || !part.children.some((child) => typeof child !== "string");
  }
}

const WRITERS: Readonly<Record<string, (of: Operands) => string>> = {
  "m:f"(of) {
    const type = of.property("m:type");
    if (type === "lin") return `${of.row("m:num")}<mo>/</mo>${of.row("m:den")}`;
    const line = type === "noBar" ? ' linethickness="0"' : "";
    return `<mfrac${line}>${of.row("m:num")}${of.row("m:den")}</mfrac>`;
  },
  "m:rad": (of) =>
    of.lacks("m:deg", "m:degHide")
      ? `<msqrt>${of.row("m:e")}</msqrt>`
      : `<mroot>${of.row("m:e")}${of.row("m:deg")}</mroot>`,
  "m:sSup": (of) => `<msup>${of.row("m:e")}${of.row("m:sup")}</msup>`,
  "m:sSub": (of) => `<msub>${of.row("m:e")}${of.row("m:sub")}</msub>`,
  "m:sSubSup": (of) => `<msubsup>${of.row("m:e")}${of.row("m:sub")}${of.row("m:sup")}</msubsup>`,
  "m:sPre": (of) => `<msubsup><mrow></mrow>${of.row("m:sub")}${of.row("m:sup")}</msubsup>${of.row("m:e")}`,
  "m:nary"(of) {
    const bounds = [
      of.lacks("m:sub", "m:subHide") ? "" : of.row("m:sub"),
      of.lacks("m:sup", "m:supHide") ? "" : of.row("m:sup"),
    ];
    const name = bounds[0] === "" ? "mover" : bounds[1] === "" ? "munder" : "munderover";
    const sign = of.sign("m:chr", "∫");
    const operator = bounds.join("") === "" ? sign : `<${name}>${sign}${bounds.join("")}</${name}>`;
    return `${operator}${of.row("m:e")}`;
  },
  "m:d"(of) {
    const parts = of.rows("m:e").join(of.sign("m:sepChr", "|"));
    return `<mrow>${of.sign("m:begChr", "(")}${parts}${of.sign("m:endChr", ")")}</mrow>`;
  },
  "m:func": (of) => `${of.row("m:fName")}${of.row("m:e")}`,
  "m:limLow": (of) => `<munder>${of.row("m:e")}${of.row("m:lim")}</munder>`,
  "m:limUpp": (of) => `<mover>${of.row("m:e")}${of.row("m:lim")}</mover>`,
  "m:acc": (of) => `<mover>${of.row("m:e")}${of.sign("m:chr", "^")}</mover>`,
  "m:bar": (of) =>
    of.property("m:pos") === "top"
      ? `<mover>${of.row("m:e")}<mo>¯</mo></mover>`
      : `<munder>${of.row("m:e")}<mo>_</mo></munder>`,
  "m:groupChr": (of) =>
    of.property("m:pos") === "top"
      ? `<mover>${of.row("m:e")}${of.sign("m:chr", "⏞")}</mover>`
      : `<munder>${of.row("m:e")}${of.sign("m:chr", "⏟")}</munder>`,
  "m:m": (of) => tableOf(of.cells()),
  "m:eqArr"(of) {
    const rows = of.rows("m:e");
    return rows.length === 1 ? rows.join("") : tableOf(rows.map((row) => [row]));
  },
};

function tableOf(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => `<mtr>${row.map((cell) => `<mtd>${cell}</mtd>`).join("")}</mtr>`);
  return `<mtable>${cells.join("")}</mtable>`;
}

/** Numbers, names of functions, and blanks between words, which are more than their letters. */
const SIGNS = new RegExp(
  [
    String.raw`\d+(?:[.,]\d+)*`,
    String.raw`(?<!\p{L})(?:(?:arc)?(?:sin|cos|tan)h?|log|ln)(?!\p{L}{2})`,
    String.raw`(?<!\p{L})(?:cot|sec|csc|exp|lim|max|min|sup|inf|det|dim|ker|gcd)(?!\p{L})`,
    String.raw`(?<=\p{L})\s+(?=\p{L})|\S`,
  ].join("|"),
  "gu",
);

function signsOf(text: string): string {
  return (text.match(SIGNS) ?? [])
    .map((sign) => {
      if (sign.trim() === "") return "<mtext> </mtext>";
      const name = /^\d/.test(sign) ? "mn" : /^\p{L}/u.test(sign) ? "mi" : "mo";
      // A dash is typed for a minus sign.
      return `<${name}>${escapeText(sign.replace("–", "-"))}</${name}>`;
    })
    .join("");
}

/** One upright letter is a sign, too. */
function wordsOf(text: string): string {
  if (/^\s*\p{L}?\s*$/u.test(text)) return signsOf(text);
  return `<mtext>${escapeText(text)}</mtext>`;
}

function isText(run: XmlElement): boolean {
  return childAt(run, "m:rPr", "m:nor") !== undefined;
}

function textOf(run: XmlElement): string {
  return childrenOf(run, "m:t").map(xmlText).join("");
}
