import type { Formulas } from "../model/marks.ts";
import { smallText } from "./small-text.ts";
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
      return [hasTitle(shown) ? shown : withTitle(shown, height)];
    },
  );
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
      element("a:r", {}, [element("a:t", {}, [formulas.add(wordMathMl(equation, isBlock))])]),
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

function hasTitle(tree: XmlElement): boolean {
  return elementsBelow(tree, "p:sp").some((shape) => /title/i.test(placeholderOf(shape) ?? ""));
}

function withTitle(tree: XmlElement, height: number): XmlElement {
  const placed = childrenOf(tree, "p:sp", "p:graphicFrame", "p:pic")
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
  const others = tree.children.filter((child) => child !== first.shape);
  return { ...tree, children: [asTitle(first.shape), ...others] };
}

/** Shapes without a place of their own have that of the layout, below any title. */
function topOf(shape: XmlElement): number {
  const place = childAt(shape, "p:spPr", "a:xfrm", "a:off") ?? childAt(shape, "p:xfrm", "a:off");
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
