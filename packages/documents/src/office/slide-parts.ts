import { CODE_LINE, codeSpan, type Formulas } from "../model/marks.ts";
import { smallText } from "./small-text.ts";
import { isTypewriter } from "./typewriter.ts";
import { wordMathMl } from "./word-formulas.ts";
import {
  childAt,
  childrenOf,
  element,
  elementsBelow,
  parseXml,
  rewriteXml,
  type XmlElement,
  type XmlNode,
  xmlText,
} from "./xml.ts";

/** In characters. A longer line is text, wherever it stands. */
const MAX_TITLE_LENGTH = 120;
/** A title begins in this share of a slide's height. */
const TITLE_SHARE = 0.3;

/** Shapes of a slide that may hold text. */
const SHAPES = new Set(["p:sp", "p:pic", "p:graphicFrame", "p:grpSp", "p:cxnSp"]);

/** Whether PowerPoint leaves the slide out when it shows the presentation. */
export function isHiddenSlide(slide: string): boolean {
  return /^(?:0|false)$/.test(parseXml(slide)?.attributes["show"] ?? "");
}

/** The list of slides without those whose relationships are given. */
export function shownSlideList(presentation: string, hidden: ReadonlySet<string>): string {
  return rewriteXml(
    presentation,
    (name, attributes) => name === "p:sldId" && hidden.has(attributes["r:id"] ?? ""),
    () => [],
  );
}

/**
 * A slide without hidden shapes, and with its equations. Where no shape is said to be the title, a short line above
 * all other text is.
 */
export function shownSlide(slide: string, height: number, formulas: Formulas): string {
  return rewriteXml(
    slide,
    (name) => name === "p:spTree",
    (tree) => {
      const shown = shownShapes(tree, formulas);
      const title = titleOf(shown);
      const titled = title ? withFirst(shown, title) : withTitle(shown, height);
      const first = titleOf(titled);
      // Letters of the whole slide say nothing.
      return [first && isCode(first) ? titled : withCode(titled)];
    },
  );
}

/** The tree with this shape before all others. One that is in a group stays there. */
function withFirst(tree: XmlElement, shape: XmlElement, written = shape): XmlElement {
  const others = tree.children.filter((child) => child !== shape);
  return others.length < tree.children.length ? { ...tree, children: [written, ...others] } : tree;
}

function shownShapes(node: XmlElement, formulas: Formulas): XmlElement {
  const children = node.children.flatMap((child): readonly XmlNode[] => {
    if (typeof child === "string") return [child];
    if (SHAPES.has(child.name) && isHidden(child)) return [];
    if (child.name === "mc:AlternateContent") {
      const chosen = childAt(child, "mc:Choice") ?? childAt(child, "mc:Fallback");
      return chosen ? shownShapes(chosen, formulas).children : [];
    }
    if (child.name === "a:r") return [withSmallText(child)];
    if (child.name !== "a14:m") return [shownShapes(child, formulas)];
    const isBlock = elementsBelow(child, "m:oMathPara").length > 0;
    return elementsBelow(child, "m:oMath").map((equation) =>
      textRun(formulas.add(wordMathMl(equation, isBlock))),
    );
  });
  return { ...node, children };
}

function withSmallText(run: XmlElement): XmlElement {
  const baseline = Number(childAt(run, "a:rPr")?.attributes["baseline"] ?? 0);
  return baseline ? { ...run, children: smallText(run.children, baseline > 0 ? "above" : "below") } : run;
}

function isHidden(shape: XmlElement): boolean {
  return shape.children.some(
    (child) =>
      typeof child !== "string" &&
      /^p:nv.*Pr$/.test(child.name) &&
      /^(?:1|true)$/.test(childAt(child, "p:cNvPr")?.attributes["hidden"] ?? ""),
  );
}

function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = childAt(shape, "p:nvSpPr", "p:nvPr", "p:ph");
  return placeholder && (placeholder.attributes["type"] ?? "body");
}

function titleOf(tree: XmlElement): XmlElement | undefined {
  const shapes = elementsBelow(tree, "p:sp");
  const named = (names: RegExp) => shapes.find((shape) => names.test(placeholderOf(shape) ?? ""));
  return named(/^(?:ctrT|t)itle$/) ?? named(/title/i);
}

/** Lines and parts of lines in typewriter letters have the marks of code. Titles and cells have no lines of code. */
function withCode(node: XmlElement, around?: XmlElement): XmlElement {
  if (node.name === "a:tbl") return node;
  if (node.name !== "p:txBody") {
    const shape = node.name === "p:sp" ? node : around;
    return { ...node, children: node.children.map(ofElement((child) => withCode(child, shape))) };
  }
  const kind = (around && placeholderOf(around)) ?? "";
  const lines = childrenOf(node, "a:p");
  const areCode = lines.map((line) => !/title/i.test(kind) && isCode(line) && !hasBullet(line, kind));
  const marked = lines.map((line, at): [XmlElement, XmlElement] => {
    const isEmpty = areCode[at - 1] && areCode[at + 1] && xmlText(line) === "";
    return [line, areCode[at] || isEmpty ? codeLine(line) : withCodeSpans(line)];
  });
  const written = new Map(marked);
  return { ...node, children: node.children.map(ofElement((child) => written.get(child) ?? child)) };
}

function hasBullet(line: XmlElement, placeholder: string): boolean {
  const properties = childAt(line, "a:pPr");
  if (childAt(properties, "a:buNone")) return false;
  return (
    /^(?:body|obj)$/.test(placeholder) ||
    childrenOf(properties, "a:buChar", "a:buAutoNum", "a:buBlip").length > 0
  );
}

function ofElement(change: (one: XmlElement) => XmlElement): (node: XmlNode) => XmlNode {
  return (node) => (typeof node === "string" ? node : change(node));
}

/** Whether all of a text is in typewriter letters. */
function isCode(text: XmlElement): boolean {
  const runs = elementsBelow(text, "a:r").filter((run) => xmlText(run).trim() !== "");
  return runs.length > 0 && runs.every(isTyped);
}

function isTyped(run: XmlElement): boolean {
  return isTypewriter(childAt(run, "a:rPr", "a:latin")?.attributes["typeface"] ?? "");
}

/** Breaks within a text are as good as those that are elements. */
function codeLine(line: XmlElement): XmlElement {
  const children = line.children.flatMap((child): readonly XmlNode[] => {
    if (typeof child === "string" || child.name !== "a:r") return [child];
    const parts = xmlText(childAt(child, "a:t") ?? "").split(/\r?\n/);
    return parts.flatMap((part, at) => [...(at > 0 ? [element("a:br")] : []), textRun(part)]);
  });
  const start = children.findIndex((child) => typeof child !== "string" && child.name !== "a:pPr");
  const at = start < 0 ? children.length : start;
  return { ...line, children: [...children.slice(0, at), textRun(CODE_LINE), ...children.slice(at)] };
}

function withCodeSpans(line: XmlElement): XmlElement {
  const mark = (run: XmlElement): XmlElement =>
    run.name === "a:r" && isTyped(run) && xmlText(run).trim() !== ""
      ? { ...run, children: [...childrenOf(run, "a:rPr"), element("a:t", {}, [codeSpan(xmlText(run))])] }
      : run;
  return { ...line, children: line.children.map(ofElement(mark)) };
}

function textRun(text: string): XmlElement {
  return element("a:r", {}, [element("a:t", {}, [text])]);
}

function withTitle(tree: XmlElement, height: number): XmlElement {
  const placed = childrenOf(tree, "p:sp", "p:graphicFrame", "p:pic", "p:grpSp")
    .map((shape) => ({ shape, top: topOf(shape), text: xmlText(shape).trim() }))
    .sort((a, b) => a.top - b.top);
  const [first, text] = placed.filter((one) => one.text !== "");
  const second = text ?? placed.find(({ top }) => first && top > first.top);
  const isTitle =
    first?.shape.name === "p:sp" &&
    placeholderOf(first.shape) === undefined &&
    second !== undefined &&
    first.top < Math.min(second.top, height * TITLE_SHARE) &&
    elementsBelow(first.shape, "a:p").length === 1 &&
    first.text.length <= MAX_TITLE_LENGTH &&
    /\p{L}/u.test(first.text);
  if (!isTitle) return tree;
  return withFirst(tree, first.shape, asTitle(first.shape));
}

/** Shapes without a place of their own have that of the layout, below any title. */
function topOf(shape: XmlElement): number {
  const [properties] = childrenOf(shape, "p:spPr", "p:grpSpPr");
  const place = childAt(properties, "a:xfrm", "a:off") ?? childAt(shape, "p:xfrm", "a:off");
  return Number(place?.attributes["y"] ?? Infinity);
}

function asTitle(node: XmlElement): XmlElement {
  const children = node.children.map((child) =>
    typeof child !== "string" && (child.name === "p:nvSpPr" || child.name === "p:nvPr")
      ? asTitle(child)
      : child,
  );
  return {
    ...node,
    children: node.name === "p:nvPr" ? [element("p:ph", { type: "title" }), ...children] : children,
  };
}
