import { CODE_LINE, codeSpan, CONTINUED, type Formulas } from "../model/marks.ts";
import { wordMathMl } from "./word-formulas.ts";
import { WordLists } from "./word-lists.ts";
import type { WordNumbering } from "./word-numbering.ts";
import { withSigns } from "./word-signs.ts";
import { looksOf, switchAt, valueAt, type WordStyles } from "./word-styles.ts";
import { childAt, childrenOf, element, rewriteXml, type XmlElement, type XmlNode, xmlText } from "./xml.ts";

export interface WordContext {
  readonly styles: WordStyles;
  readonly numbering: WordNumbering;
  readonly formulas: Formulas;
}

/** The outline level that is none. */
const TEXT_LEVEL = 9;

/** Where more of a paragraph is in typewriter letters, they are those of its text. */
const MAX_CODE_SHARE = 0.7;

/** Blocks of a text, of notes, and of a frame. */
const BLOCKS = new Set(["w:p", "w:tbl", "w:sdt"]);

/**
 * Text of a Word document as Word shows it: without what is hidden, with equations, boxes of forms, text boxes
 * behind their paragraph, readings in brackets, and the numbers of headings.
 */
export function shownWordText(xml: string, context: WordContext): string {
  const part = new WordText(context);
  return rewriteXml(
    xml,
    (name) => BLOCKS.has(name),
    (block) => part.shown(block),
  );
}

class WordText {
  readonly #context: WordContext;
  /** What stands in boxes of the current paragraph. */
  #boxes: XmlNode[] = [];
  #paragraphStyle: string | undefined;
  #tableDepth = 0;
  #lists = new WordLists();

  constructor(context: WordContext) {
    this.#context = context;
  }

  shown(node: XmlNode): readonly XmlNode[] {
    if (typeof node === "string") return [node];
    switch (node.name) {
      case "w:p":
        return (this.#tableDepth > 0 ? [node] : withEquationsApart(node)).flatMap((one) =>
          this.#paragraph(one),
        );
      case "w:tbl":
        return this.#table(node);
      case "w:tr":
        return isGoneRow(node) ? [] : [this.#inner(node)];
      case "w:r":
        return this.#isHidden(node) ? [] : withForm(withSigns(this.#inner(node)));
      case "m:oMath":
        return [run(this.#context.formulas.add(wordMathMl(node)))];
      case "m:oMathPara":
        return childrenOf(node, "m:oMath").map((line) =>
          run(this.#context.formulas.add(wordMathMl(line, true))),
        );
      case "w:txbxContent":
        this.#boxes.push(...this.#inner(node).children);
        return [];
      case "w:ruby":
        return rubyText(node);
      case "mc:AlternateContent":
        return this.#inner(childAt(node, "mc:Choice") ?? childAt(node, "mc:Fallback") ?? element(""))
          .children;
      default:
        return [this.#inner(node)];
    }
  }

  #paragraph(paragraph: XmlElement): readonly XmlNode[] {
    const [outerBoxes, outerStyle] = [this.#boxes, this.#paragraphStyle];
    this.#boxes = [];
    this.#paragraphStyle = valueAt(paragraph, "w:pPr", "w:pStyle");
    const shown = this.#structured(this.#withCodeSpans(this.#inner(paragraph)));
    const boxes = this.#boxes;
    [this.#boxes, this.#paragraphStyle] = [outerBoxes, outerStyle];
    return [shown, ...boxes];
  }

  /** A heading gets the number that Word shows, and a line in typewriter letters the mark of code. */
  #structured(paragraph: XmlElement): XmlElement {
    const { styles } = this.#context;
    const style = this.#paragraphStyle;
    const own = looksOf(paragraph).outlineLevel;
    const ofStyle = styles.find(style, ({ outlineLevel }) => outlineLevel);
    // A style that is based on a heading's and keeps it out of the contents still looks like one, as above the contents.
    const kept = styles.find(style, ({ outlineLevel }) =>
      outlineLevel === TEXT_LEVEL ? undefined : outlineLevel,
    );
    if (own === undefined && ofStyle === TEXT_LEVEL && kept !== undefined && hasText(paragraph))
      return this.#marked(withProperty(paragraph, element("w:outlineLvl", { "w:val": String(kept) })), true);
    return this.#marked(paragraph, (own ?? ofStyle ?? TEXT_LEVEL) < TEXT_LEVEL);
  }

  #marked(paragraph: XmlElement, isHeading: boolean): XmlElement {
    const { styles, numbering } = this.#context;
    const own = looksOf(paragraph);
    const style = this.#paragraphStyle;
    const inherited = styles.find(style, (looks) => looks.numbering);
    const id = own.numbering?.id ?? inherited?.id;
    if (id !== undefined && id !== "0") {
      const place = own.numbering?.level ?? numbering.levelForStyle(id, style) ?? inherited?.level ?? 0;
      const label = numbering.next(id, place);
      if (!hasText(paragraph)) return paragraph;
      if (isHeading) return label === undefined ? paragraph : numbered(paragraph, label);
      const level = numbering.levelOf(id, place);
      if (level?.bullet === "") return beginning(paragraph, CONTINUED);
      // What shows neither sign nor number is no list.
      if (level && label !== "") {
        const indent = own.indent ?? level.indent ?? styles.find(style, (looks) => looks.indent) ?? 0;
        const box = /^[☐☑☒]$/.test(level.bullet ?? "") ? `${level.bullet} ` : "";
        return beginning(paragraph, this.#lists.marksOf(id, place, indent) + box);
      }
    }
    if (hasText(paragraph)) this.#lists.end();
    const isCode = !isHeading && this.#tableDepth === 0 && this.#isTypewriter(paragraph);
    return isCode ? beginning(paragraph, CODE_LINE) : paragraph;
  }

  #isTypewriter(paragraph: XmlElement): boolean {
    const { styles } = this.#context;
    const ofStyle = styles.find(this.#paragraphStyle, ({ isTypewriter }) => isTypewriter) ?? false;
    const runs = childrenOf(paragraph, "w:r", "w:hyperlink", "w:ins").filter(hasText);
    if (runs.length === 0) {
      const mark = childAt(paragraph, "w:pPr");
      return hasText(paragraph) ? false : ((mark && looksOf(mark).isTypewriter) ?? ofStyle);
    }
    return runs.every((one) => this.#isTypewriterRun(one, ofStyle));
  }

  #isTypewriterRun(one: XmlElement, ofStyle = false): boolean {
    const { styles } = this.#context;
    const byStyle = styles.find(valueAt(one, "w:rPr", "w:rStyle"), ({ isTypewriter }) => isTypewriter);
    return looksOf(one).isTypewriter ?? byStyle ?? ofStyle;
  }

  /** Words in typewriter letters among others are code, and cells that have a style of such letters. */
  #withCodeSpans(paragraph: XmlElement): XmlElement {
    const code = childrenOf(paragraph, "w:r").filter((one) => hasText(one) && this.#isTypewriterRun(one));
    if (code.length === 0) return paragraph;
    const length = code.reduce((sum, one) => sum + xmlText(one).length, 0);
    const isAmong = length < xmlText(paragraph).length * MAX_CODE_SHARE;
    const isCell =
      this.#tableDepth > 0 && code.every((one) => valueAt(one, "w:rPr", "w:rStyle") !== undefined);
    if (!isAmong && !isCell) return paragraph;
    const marked = new Set<XmlNode>(code);
    return {
      ...paragraph,
      children: paragraph.children.map((child) => (marked.has(child) ? coded(child) : child)),
    };
  }

  #inner(node: XmlElement): XmlElement {
    return { ...node, children: node.children.flatMap((child) => this.shown(child)) };
  }

  #table(table: XmlElement): readonly XmlNode[] {
    this.#tableDepth += 1;
    this.#lists.end();
    const shown = this.#inner(table);
    this.#lists.end();
    this.#tableDepth -= 1;
    return [shown];
  }

  #isHidden(node: XmlElement): boolean {
    const { styles } = this.#context;
    const isHidden = (id: string | undefined) => styles.find(id, (looks) => looks.isHidden);
    return (
      looksOf(node).isHidden ??
      isHidden(valueAt(node, "w:rPr", "w:rStyle")) ??
      isHidden(this.#paragraphStyle) ??
      false
    );
  }
}

/** Hidden, or deleted while changes are tracked. */
function isGoneRow(row: XmlElement): boolean {
  const properties = childAt(row, "w:trPr");
  return switchAt(properties, "w:hidden") === true || childAt(properties, "w:del") !== undefined;
}

const BESIDE_EQUATIONS = /^(?:m:oMath|w:(?:pPr|r|proofErr|bookmark\w+))$/;

/** Equations that are all of a paragraph stand on lines of their own. */
function withEquationsApart(paragraph: XmlElement): readonly XmlElement[] {
  const equations = childrenOf(paragraph, "m:oMath");
  const runs = childrenOf(paragraph, "w:r").flatMap(({ children }) => children);
  const isAlone =
    paragraph.children.every((child) => typeof child === "string" || BESIDE_EQUATIONS.test(child.name)) &&
    runs.every((part) => typeof part === "string" || /^w:(?:rPr|t)$/.test(part.name)) &&
    runs.every((part) => xmlText(part).trim() === "");
  if (equations.length === 0 || !isAlone) return [paragraph];
  return equations.map((equation) => ({
    ...paragraph,
    children: [...childrenOf(paragraph, "w:pPr"), element("m:oMathPara", {}, [equation])],
  }));
}

function coded(node: XmlNode): XmlNode {
  if (typeof node === "string") return node;
  const text = xmlText(node);
  if (node.name === "w:t") return { ...node, children: [codeSpan(text)] };
  // Formulas have marks of their own.
  return /[\uFDD0-\uFDEF]/.test(text) ? node : { ...node, children: node.children.map(coded) };
}

function hasText(node: XmlElement): boolean {
  return node.name === "w:t"
    ? xmlText(node) !== ""
    : node.children.some((child) => typeof child !== "string" && hasText(child));
}

function run(text: string): XmlElement {
  return element("w:r", {}, [element("w:t", { "xml:space": "preserve" }, [text])]);
}

/** Puts text before that of the paragraph. */
function beginning(paragraph: XmlElement, text: string): XmlElement {
  if (text === "") return paragraph;
  const { name, attributes, children } = paragraph;
  const at = children.findIndex((child) => typeof child !== "string" && child.name === "w:pPr") + 1;
  return element(name, attributes, [...children.slice(0, at), run(text), ...children.slice(at)]);
}

function numbered(paragraph: XmlElement, label: string): XmlElement {
  const none = element("w:numPr", {}, [element("w:numId", { "w:val": "0" })]);
  const plain = withProperty(paragraph, none);
  return label === "" ? plain : beginning(plain, `${label} `);
}

function withProperty(paragraph: XmlElement, property: XmlElement): XmlElement {
  const properties = childAt(paragraph, "w:pPr") ?? element("w:pPr");
  const others = properties.children.filter(
    (child) => typeof child === "string" || child.name !== property.name,
  );
  const children = paragraph.children.filter((child) => child !== properties);
  return { ...paragraph, children: [{ ...properties, children: [...others, property] }, ...children] };
}

/** Readings follow what they stand above: 漢(kan). */
function rubyText(ruby: XmlElement): readonly XmlNode[] {
  const reading = childAt(ruby, "w:rt");
  const text = xmlText(childAt(ruby, "w:rubyBase") ?? "") + (reading ? `(${xmlText(reading)})` : "");
  return [element("w:t", { "xml:space": "preserve" }, [text])];
}

/** Puts what an old form field shows before the run that begins the field. */
function withForm(node: XmlElement): readonly XmlNode[] {
  const data = childAt(node, "w:fldChar", "w:ffData");
  const shown = data && formText(data);
  return shown === undefined ? [node] : [run(shown), node];
}

function formText(data: XmlElement): string | undefined {
  const box = childAt(data, "w:checkBox");
  if (box) return (switchAt(box, "w:checked") ?? switchAt(box, "w:default")) ? "☒" : "☐";
  const list = childAt(data, "w:ddList");
  const chosen = Number(valueAt(list, "w:result") ?? valueAt(list, "w:default") ?? 0);
  return list && childrenOf(list, "w:listEntry")[chosen]?.attributes["w:val"];
}
