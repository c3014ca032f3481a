import { ownProperty } from "@pergamon-dev/kit/own-property";
import { escapeAttribute, escapeText } from "../model/html-escape.ts";
import { switchAt } from "./word-styles.ts";
import { childAt, childrenOf, element, type XmlElement, type XmlNode, xmlText } from "./xml.ts";

/** Deeper formulas are written as their letters. */
const MAX_DEPTH = 60;

/** MathML of an equation of Word: Office Math Markup Language, ISO/IEC 29500-1, 22.1. */
export function wordMathMl(equation: XmlElement, isBlock = false): string {
  return `<math${isBlock ? ' display="block"' : ""}>${rowOf(equation, 0)}</math>`;
}

function rowOf(parent: XmlElement | undefined, depth: number): string {
  let row = "";
  // A word may be cut into runs.
  let [signs, look] = ["", ""];
  for (const child of parent?.children ?? []) {
    const lookOfChild = signsLook(child);
    if (lookOfChild !== look) {
      row += signsOf(signs, look);
      signs = "";
    }
    look = lookOfChild ?? "";
    if (lookOfChild === undefined || typeof child === "string") row += partOf(child, depth + 1);
    else signs += textOf(child);
  }
  return `<mrow>${row}${signsOf(signs, look)}</mrow>`;
}

/** The `mathvariant` of a run of signs; "" for the usual one. Undefined for anything else. */
function signsLook(node: XmlNode): string | undefined {
  if (typeof node === "string" || node.name !== "m:r" || isText(node)) return undefined;
  const alphabet = childAt(node, "m:rPr", "m:scr")?.attributes["m:val"] ?? "roman";
  const style = childAt(node, "m:rPr", "m:sty")?.attributes["m:val"] ?? "";
  return alphabet === "roman" ? (ownProperty(STYLES, style) ?? "") : alphabet;
}

const STYLES = { p: "normal", b: "bold", bi: "bold-italic" };

/** Deleted while changes are tracked. */
const GONE = new Set(["w:del", "w:moveFrom"]);

function partOf(node: XmlNode, depth: number): string {
  if (typeof node === "string" || node.name.endsWith("Pr") || GONE.has(node.name)) return "";
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

  /** Lines of equations, in the parts that `&` aligns. */
  lines(): readonly (readonly string[])[] {
    return childrenOf(this.#node, "m:e").map((line) =>
      alignedParts(line).map((part) => rowOf(part, this.#depth + 1)),
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
    return `<mo>${escapeText(this.property(name) ?? usual)}</mo>`;
  }

  /** Whether a property is on. It is if it has no value. Undefined if it is absent. */
  is(name: string): boolean | undefined {
    const value = this.property(name);
    return value === undefined ? undefined : !/^(?:0|false|off)$/.test(value);
  }

  /** Whether a part is absent, or hidden by a property. */
  lacks(name: string, hiding: string): boolean {
    if (this.is(hiding)) return true;
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
  "m:func": (of) => `${of.row("m:fName")}<mo>\u2061</mo>${of.row("m:e")}`,
  "m:limLow": (of) => `<munder>${of.row("m:e")}${of.row("m:lim")}</munder>`,
  "m:limUpp": (of) => `<mover>${of.row("m:e")}${of.row("m:lim")}</mover>`,
  "m:acc": (of) => `<mover>${of.row("m:e")}${of.sign("m:chr", "\u0302")}</mover>`,
  "m:bar": (of) =>
    of.property("m:pos") === "top"
      ? `<menclose notation="top">${of.row("m:e")}</menclose>`
      : `<munder>${of.row("m:e")}<mo>_</mo></munder>`,
  "m:groupChr": (of) =>
    of.property("m:pos") === "top"
      ? `<mover>${of.row("m:e")}${of.sign("m:chr", "⏞")}</mover>`
      : `<munder>${of.row("m:e")}${of.sign("m:chr", "⏟")}</munder>`,
  "m:borderBox"(of) {
    const sides = ["m:hideTop", "m:hideBot", "m:hideLeft", "m:hideRight"];
    const kinds = [
      sides.every((side) => of.is(side)) ? "" : "box",
      of.is("m:strikeBLTR") ? "updiagonalstrike" : "",
      of.is("m:strikeTLBR") ? "downdiagonalstrike" : "",
    ];
    return `<menclose notation="${kinds.join(" ").trim()}">${of.row("m:e")}</menclose>`;
  },
  "m:phant": (of) => (of.is("m:show") === false ? "" : of.row("m:e")),
  "m:m": (of) => tableOf(of.cells()),
  "m:eqArr"(of) {
    const lines = of.lines();
    if (lines.length === 1) return lines.flat().join("");
    return tableOf(lines, lines.some((parts) => parts.length > 1) ? ' columnalign="right left"' : "");
  },
};

function tableOf(rows: readonly (readonly string[])[], alignment = ""): string {
  const cells = rows.map((row) => `<mtr>${row.map((cell) => `<mtd>${cell}</mtd>`).join("")}</mtr>`);
  return `<mtable${alignment}>${cells.join("")}</mtable>`;
}

function alignedParts({ name, children }: XmlElement): readonly XmlElement[] {
  const parts: XmlNode[][] = [[]];
  for (const child of children) {
    const [first, ...others] = cutAtMarks(child);
    if (first !== undefined) parts.at(-1)?.push(first);
    for (const other of others) parts.push([other]);
  }
  return parts.map((part) => element(name, {}, part));
}

function cutAtMarks(node: XmlNode): readonly XmlNode[] {
  if (typeof node === "string" || signsLook(node) === undefined) return [node];
  const properties = childrenOf(node, "m:rPr");
  return textOf(node)
    .split("&")
    .map((text) => element(node.name, {}, [...properties, element("m:t", {}, [text])]));
}

/** Numbers, names of functions, and blanks between words, which are more than their letters. */
const SIGNS = new RegExp(
  [
    String.raw`\d+(?:[.,]\d+)*`,
    String.raw`(?<!\p{L})(?:(?:arc)?(?:sin|cos|tan)h?|log|ln)(?!\p{L}{2})`,
    String.raw`(?<!\p{L})(?:cot|sec|csc|exp|lim|max|min|sup|inf|det|dim|ker|gcd)(?!\p{L})`,
    String.raw`\s{2,}|\u2003|(?<=\p{L})\s+(?=\p{L})|\S`,
  ].join("|"),
  "gu",
);

/** Upright letters are a name. */
const NAMES = new RegExp(String.raw`\p{L}+|${SIGNS.source}`, "gu");

function signsOf(text: string, look: string): string {
  const variant = look === "" || look === "normal" ? "" : ` mathvariant="${escapeAttribute(look)}"`;
  return (text.match(look === "normal" ? NAMES : SIGNS) ?? [])
    .map((sign) => {
      if (sign.trim() === "") return sign === " " ? "<mtext> </mtext>" : '<mspace width="1em"/>';
      const name = /^\d/.test(sign) ? "mn" : /^\p{L}/u.test(sign) ? "mi" : "mo";
      // A dash is typed for a minus sign.
      return `<${name}${name === "mo" ? "" : variant}>${escapeText(sign.replace("–", "-"))}</${name}>`;
    })
    .join("");
}

/** One upright letter is a sign, too. */
function wordsOf(text: string): string {
  if (/^\s*\p{L}?\s*$/u.test(text)) return signsOf(text, "");
  return `<mtext>${escapeText(text)}</mtext>`;
}

function isText(run: XmlElement): boolean {
  return childAt(run, "m:rPr", "m:nor") !== undefined;
}

/** Empty if it is hidden. */
function textOf(run: XmlElement): string {
  if (switchAt(childAt(run, "w:rPr"), "w:vanish")) return "";
  return childrenOf(run, "m:t").map(xmlText).join("");
}
