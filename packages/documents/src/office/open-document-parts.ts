import { ownProperty } from "@pergamon-dev/kit/own-property";
import { CODE_LINE, codeSpan, type Formulas } from "../model/marks.ts";
import { escapeText } from "../model/html-escape.ts";
import { smallText } from "./small-text.ts";
import { isTypewriter } from "./typewriter.ts";
import {
  childAt,
  childrenOf,
  element,
  elementsBelow,
  rewriteXml,
  type XmlElement,
  type XmlNode,
  xmlText,
} from "./xml.ts";

export interface OpenDocumentContext {
  readonly styles: OpenDocumentStyles;
  readonly formulas: Formulas;
  readonly isText: boolean;
  readonly isSlides: boolean;
  /** The content of an embedded object, by its folder in the file. */
  objectAt(folder: string): XmlElement | undefined;
}

/** Styles based on each other in a circle end here. */
const MAX_ANCESTORS = 30;

/** Styles of all families of an OpenDocument file: those with names, and those made for single parts. */
export class OpenDocumentStyles {
  readonly #styles = new Map<string, XmlElement>();

  constructor(...parts: readonly (string | undefined)[]) {
    for (const xml of parts) {
      if (xml === undefined) continue;
      // Content is dropped while it is read.
      rewriteXml(
        xml,
        (name) => name === "style:style",
        (style) => {
          const { attributes } = style;
          this.#styles.set(keyOf(attributes["style:family"], attributes["style:name"]), style);
          return [];
        },
      );
    }
  }

  /** A property of a style, or of the first of those that it is based on that has it. */
  property(family: string, name: string | undefined, group: string, property: string): string | undefined {
    for (const style of this.#line(family, name)) {
      const value = ownProperty(childAt(style, `style:${group}-properties`)?.attributes ?? {}, property);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Whether a style, or one that it is based on, has this name. */
  isKind(family: string, name: string | undefined, kind: string): boolean {
    return this.#line(family, name).some(({ attributes }) => attributes["style:name"] === kind);
  }

  #line(family: string, name: string | undefined): readonly XmlElement[] {
    const line: XmlElement[] = [];
    let style = this.#styles.get(keyOf(family, name));
    while (style && line.length < MAX_ANCESTORS) {
      line.push(style);
      style = this.#styles.get(keyOf(family, style.attributes["style:parent-style-name"]));
    }
    return line;
  }
}

function keyOf(family = "", name = ""): string {
  return `${family} ${name}`;
}

/** Parts that are chosen from the content: blocks of a text, a sheet's rows, a slide's shapes. */
const CHOSEN =
  /^(?:text:(?:p|h|list|section|tracked-changes)|table:table(?:-row)?|draw:[\w-]+|office:annotation)$/;

/**
 * Content of an OpenDocument file as its program shows it: without hidden texts, sheets, rows and slides, with
 * formulas and readings, and with titles as headings.
 */
export function shownOpenDocument(xml: string, context: OpenDocumentContext): string {
  const content = new OpenDocumentContent(context);
  return rewriteXml(
    xml,
    (name) => CHOSEN.test(name),
    (part) => content.shown(part),
  );
}

class OpenDocumentContent {
  readonly #context: OpenDocumentContext;
  /** Within cells and titles. */
  #cellDepth = 0;
  /** Letters of a whole slide say nothing. */
  #isTypewritten = false;
  #hiddenColumns: readonly Columns[] = [];
  /** Charts in the current paragraph or sheet. */
  #charts: Chart[] = [];

  constructor(context: OpenDocumentContext) {
    this.#context = context;
  }

  shown(node: XmlNode): readonly XmlNode[] {
    if (typeof node === "string") return [node];
    if (this.#isHidden(node)) return [];
    switch (node.name) {
      case "text:p":
        return this.#paragraph(node);
      case "text:h":
        return [this.#inner(this.#withCodeSpans(node))];
      case "draw:page":
        return [this.#page(node)];
      case "text:span":
        return [this.#span(node)];
      case "text:ruby":
        return rubyText(node);
      case "draw:frame":
        return this.#frame(node);
      case "table:table":
        return [this.#table(node)];
      case "table:table-row":
        return [this.#inner({ ...node, children: shownCells(node.children, this.#hiddenColumns) })];
      case "table:table-cell":
        return [this.#cell(node)];
      default:
        return [this.#inner(node)];
    }
  }

  #inner(node: XmlElement): XmlElement {
    return { ...node, children: node.children.flatMap((child) => this.shown(child)) };
  }

  #isHidden(node: XmlElement): boolean {
    const { styles } = this.#context;
    const { name, attributes } = node;
    switch (name) {
      case "office:annotation":
      case "text:tracked-changes":
        return true;
      case "text:hidden-text":
        return attributes["text:is-hidden"] !== "false";
      case "text:section":
        return attributes["text:display"] === "none";
      case "text:p":
      case "text:h":
        if (childAt(node, "text:hidden-paragraph")?.attributes["text:is-hidden"] === "true") return true;
        return styles.property("paragraph", attributes["text:style-name"], "text", "text:display") === "none";
      case "text:span":
        return styles.property("text", attributes["text:style-name"], "text", "text:display") === "none";
      case "table:table":
        return styles.property("table", attributes["table:style-name"], "table", "table:display") === "false";
      case "table:table-row":
        return isCollapsed(node);
      case "draw:page":
        return (
          styles.property(
            "drawing-page",
            attributes["draw:style-name"],
            "drawing-page",
            "presentation:visibility",
          ) === "hidden"
        );
      default:
        return (
          /^(?:none|printer)$/.test(attributes["draw:display"] ?? "") ||
          /^(?:header|footer|date-time|page-number)$/.test(attributes["presentation:class"] ?? "")
        );
    }
  }

  #page(page: XmlElement): XmlElement {
    const titled = withTitle({
      ...page,
      children: page.children.filter((child) => typeof child === "string" || !this.#isHidden(child)),
    });
    const title = childrenOf(titled, "draw:frame").find(isTitleShape);
    const lines = title ? elementsBelow(title, "text:p") : [];
    this.#isTypewritten = lines.length > 0 && lines.every((line) => this.#isCode(line));
    const shown = this.#inner(title ? withFirst(titled, title) : titled);
    this.#isTypewritten = false;
    return shown;
  }

  #paragraph(paragraph: XmlElement): readonly XmlNode[] {
    const isCode = this.#cellDepth === 0 && !this.#isTypewritten && this.#isCode(paragraph);
    const inner = this.#inner(isCode ? paragraph : this.#withCodeSpans(paragraph));
    const shown = isCode ? { ...inner, children: [CODE_LINE, ...inner.children] } : inner;
    const charts = this.#context.isText ? this.#takenCharts().flatMap(chartBlocks) : [];
    const style = paragraph.attributes["text:style-name"];
    const isTitle = this.#cellDepth === 0 && this.#context.styles.isKind("paragraph", style, "Title");
    if (!isTitle || xmlText(shown).trim() === "") return [shown, ...charts];
    const title = element("text:h", { ...paragraph.attributes, "text:outline-level": "1" }, shown.children);
    return [title, ...charts];
  }

  /** Whether all of a line is in typewriter letters. */
  #isCode({ attributes, children }: XmlElement): boolean {
    const isUsual = this.#isTyped("paragraph", attributes);
    const texts = children.filter((child) => xmlText(child).trim() !== "");
    return (
      texts.length > 0 &&
      texts.every((child) =>
        typeof child === "string" || child.name !== "text:span"
          ? isUsual
          : (this.#isTyped("text", child.attributes) ?? isUsual),
      )
    );
  }

  #isTyped(family: string, attributes: XmlElement["attributes"]): boolean | undefined {
    const property = (name: string) =>
      this.#context.styles.property(family, attributes["text:style-name"], "text", name);
    const font = property("style:font-name") ?? property("fo:font-family");
    return font === undefined ? undefined : isTypewriter(font);
  }

  #withCodeSpans(paragraph: XmlElement): XmlElement {
    if (this.#isTypewritten) return paragraph;
    const children = paragraph.children.map((child) => {
      const isText = typeof child !== "string" && child.children.every((part) => typeof part === "string");
      if (!isText || child.name !== "text:span" || !this.#isTyped("text", child.attributes)) return child;
      return xmlText(child).trim() === "" ? child : { ...child, children: [codeSpan(xmlText(child))] };
    });
    return { ...paragraph, children };
  }

  #span(span: XmlElement): XmlElement {
    const style = span.attributes["text:style-name"];
    const place = this.#context.styles.property("text", style, "text", "style:text-position") ?? "";
    const shown = this.#inner(span);
    // "super", "sub", or how far above the line: "33% 58%".
    const side = /^super|^[1-9]/.test(place) ? "above" : /^sub|^-/.test(place) ? "below" : undefined;
    return side ? { ...shown, children: smallText(shown.children, side) } : shown;
  }

  /** Formulas and charts are objects, with a picture for programs that do not know them. */
  #frame(frame: XmlElement): readonly XmlNode[] {
    const address = childAt(frame, "draw:object")?.attributes["xlink:href"];
    const object = address === undefined ? undefined : this.#context.objectAt(address.replace(/^\.\//, ""));
    if (object?.name === "math:math") return [this.#context.formulas.add(mathMlOf(object))];
    const isChart = object !== undefined && childAt(object, "office:body", "office:chart") !== undefined;
    const [table] = isChart ? elementsBelow(object, "table:table") : [];
    if (!table) return [isTitleShape(frame) ? this.#apart(frame) : this.#inner(frame)];
    const title = childAt(object, "office:body", "office:chart", "chart:chart", "chart:title");
    const chart = { title: title ? xmlText(title).trim() : "", table };
    if (this.#context.isSlides)
      return chartBlocks(chart).map((block) => ({
        ...frame,
        children: [block === table ? table : element("draw:text-box", {}, [block])],
      }));
    this.#charts.push(chart);
    return [];
  }

  #takenCharts(): readonly Chart[] {
    const charts = this.#charts;
    this.#charts = [];
    return charts;
  }

  #table(table: XmlElement): XmlElement {
    const outer = this.#hiddenColumns;
    this.#hiddenColumns = hiddenColumns(table);
    const shown = this.#inner(table);
    this.#hiddenColumns = outer;
    const charts = !this.#context.isText && !this.#context.isSlides ? this.#takenCharts() : [];
    return charts.length > 0 ? withCharts(shown, charts) : shown;
  }

  #apart(node: XmlElement): XmlElement {
    this.#cellDepth += 1;
    const shown = this.#inner(node);
    this.#cellDepth -= 1;
    return shown;
  }

  /** Cells of slides hold each paragraph as a list without marks. */
  #cell(cell: XmlElement): XmlElement {
    const shown = this.#apart(cell);
    const [only, ...others] = elementsBelow(shown, "text:p", "text:h");
    const isBare = only !== undefined && others.length === 0 && childAt(shown, "text:list") !== undefined;
    return isBare ? { ...shown, children: [only] } : shown;
  }
}

interface Chart {
  /** "" if it has none. */
  readonly title: string;
  readonly table: XmlElement;
}

function chartBlocks({ title, table }: Chart): readonly XmlElement[] {
  return title === "" ? [table] : [element("text:p", {}, [title]), table];
}

/** A sheet with charts below its rows, in place of the empty ones at its end. */
function withCharts(sheet: XmlElement, charts: readonly Chart[]): XmlElement {
  const end = sheet.children.findLastIndex((child) => xmlText(child) !== "") + 1;
  const rows = charts.flatMap(({ title, table }) => [
    [],
    [],
    ...(title === "" ? [] : [[title], []]),
    ...elementsBelow(table, "table:table-row").map((row) =>
      elementsBelow(row, "table:table-cell").map((cell) =>
        elementsBelow(cell, "text:p").map(xmlText).join(" "),
      ),
    ),
  ]);
  return { ...sheet, children: [...sheet.children.slice(0, end), ...rows.map(sheetRow)] };
}

function sheetRow(texts: readonly string[]): XmlElement {
  const cells = texts.map((text) =>
    element("table:table-cell", { "office:value-type": "string" }, [element("text:p", {}, [text])]),
  );
  return element("table:table-row", {}, cells);
}

/** From 0, without the one at the end. */
interface Columns {
  readonly start: number;
  readonly end: number;
}

const COLUMN_PARTS = /^table:table-(?:column-group|header-columns|columns?)$/;

function hiddenColumns(table: XmlElement): readonly Columns[] {
  const hidden: Columns[] = [];
  let start = 0;
  const walk = ({ children }: XmlElement) => {
    for (const part of children) {
      if (typeof part === "string" || !COLUMN_PARTS.test(part.name)) continue;
      if (part.name !== "table:table-column") walk(part);
      else {
        const end = start + countOf(part, "table:number-columns-repeated");
        if (isCollapsed(part)) hidden.push({ start, end });
        start = end;
      }
    }
  };
  walk(table);
  return hidden;
}

/** Cells of a row without those in hidden columns. A merged cell that reaches into these shrinks. */
function shownCells(cells: readonly XmlNode[], hidden: readonly Columns[]): readonly XmlNode[] {
  if (hidden.length === 0) return cells;
  let start = 0;
  return cells.flatMap((cell): readonly XmlNode[] => {
    if (typeof cell === "string") return [cell];
    const shownOf = (count: number) =>
      hidden.reduce(
        (left, one) => left - Math.max(0, Math.min(one.end, start + count) - Math.max(one.start, start)),
        count,
      );
    const count = countOf(cell, "table:number-columns-repeated");
    const shown = shownOf(count);
    const spanned = shownOf(countOf(cell, "table:number-columns-spanned"));
    start += count;
    const attributes = {
      ...cell.attributes,
      "table:number-columns-repeated": String(shown),
      "table:number-columns-spanned": String(Math.max(1, spanned)),
    };
    return shown > 0 ? [{ ...cell, attributes }] : [];
  });
}

function countOf({ attributes }: XmlElement, name: string): number {
  return Math.max(1, Number(ownProperty(attributes, name)) || 1);
}

function isCollapsed({ attributes }: XmlElement): boolean {
  return /^(?:collapse|filter)$/.test(attributes["table:visibility"] ?? "");
}

/** In characters. A longer line is text, wherever it stands. */
const MAX_TITLE_LENGTH = 120;

/** Where no shape of a slide is its title, a short line above all other text is. */
function withTitle(page: XmlElement): XmlElement {
  const shapes = page.children.filter(
    (child): child is XmlElement => typeof child !== "string" && child.name !== "presentation:notes",
  );
  if (shapes.some(isTitleShape)) return page;
  const placed = shapes
    .map((shape) => ({
      shape,
      top: topOf(shape),
      text: xmlText(shape).trim(),
    }))
    .sort((a, b) => a.top - b.top);
  const [first, text] = placed.filter((one) => one.text !== "");
  const second = text ?? placed.find(({ top }) => first && top > first.top);
  const isTitle =
    first &&
    second &&
    first.top < second.top &&
    first.text.length <= MAX_TITLE_LENGTH &&
    /\p{L}/u.test(first.text) &&
    elementsBelow(first.shape, "text:p").length === 1 &&
    elementsBelow(first.shape, "text:list", "table:table").length === 0;
  if (!isTitle) return page;
  const attributes = { ...first.shape.attributes, "presentation:class": "title" };
  const content = elementsBelow(first.shape, "text:p");
  const title = element("draw:frame", attributes, [element("draw:text-box", {}, content)]);
  return withFirst(page, first.shape, title);
}

/** A group begins where its first shape does. */
function topOf(shape: XmlElement): number {
  const inner = shape.name === "draw:g" ? shape.children.filter((child) => typeof child !== "string") : [];
  return inner.reduce(
    (top, one) => Math.min(top, topOf(one)),
    Number.parseFloat(shape.attributes["svg:y"] ?? "Infinity"),
  );
}

function isTitleShape({ attributes }: XmlElement): boolean {
  return attributes["presentation:class"] === "title";
}

/** The slide with this shape before all others. */
function withFirst(page: XmlElement, shape: XmlElement, written = shape): XmlElement {
  return { ...page, children: [written, ...page.children.filter((child) => child !== shape)] };
}

/** Readings follow what they stand above: 漢(kan). */
function rubyText(ruby: XmlElement): readonly XmlNode[] {
  const reading = childAt(ruby, "text:ruby-text");
  const base = childAt(ruby, "text:ruby-base");
  return [...(base?.children ?? []), ...(reading ? [`(${xmlText(reading)})`] : [])];
}

function mathMlOf(node: XmlNode): string {
  if (typeof node === "string") return escapeText(node);
  const name = node.name.replace(/^.*:/, "");
  if (!/^(?:math|semantics|m\w+)$/.test(name)) return "";
  const display = node.attributes["display"] === "block" ? ' display="block"' : "";
  return `<${name}${display}>${node.children.map(mathMlOf).join("")}</${name}>`;
}
