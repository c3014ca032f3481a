import { type HtmlTree, TEXT, tagId } from "../parser/tree.ts";

const ANNOTATION = tagId("annotation");
const SCRIPT = tagId("script");

/** A formula in TeX notation, or as plain text when the page has no TeX. */
export interface MathSource {
  readonly tex: string;
  /** Whether the formula stands on a separate line. */
  readonly isDisplay: boolean;
}

/** The source of a `math` element or of a `script` that holds TeX; `undefined` when there is none. */
export function mathSource(tree: HtmlTree, node: number): MathSource | undefined {
  return tree.tag[node] === SCRIPT ? scriptSource(tree, node) : elementSource(tree, node);
}

function scriptSource(tree: HtmlTree, node: number): MathSource | undefined {
  const type = tree.attribute(node, "type") ?? "";
  if (!type.startsWith("math/tex")) return undefined;
  const tex = tidyTex(tree.textContent(node));
  return tex === "" ? undefined : { tex, isDisplay: /mode\s*=\s*display/.test(type) };
}

function elementSource(tree: HtmlTree, node: number): MathSource | undefined {
  const alternative = tree.attribute(node, "alttext");
  const tex = tidyTex(annotationOf(tree, node) ?? alternative ?? presentationText(tree, node));
  return tex === "" ? undefined : { tex, isDisplay: isDisplay(tree, node) };
}

function annotationOf(tree: HtmlTree, node: number): string | undefined {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) {
    if (tree.tag[inner] !== ANNOTATION) continue;
    if (/tex/i.test(tree.attribute(inner, "encoding") ?? "")) return tree.textContent(inner);
  }
  return undefined;
}

/** The symbols as shown, without annotations in other notations. */
function presentationText(tree: HtmlTree, node: number): string {
  const end = tree.end[node] ?? 0;
  let text = "";
  for (let inner = node + 1; inner < end; inner++) {
    if (tree.nameOf(inner).startsWith("annotation")) inner = (tree.end[inner] ?? end) - 1;
    else if (tree.tag[inner] === TEXT) text += tree.text(inner).trim();
  }
  return text;
}

function isDisplay(tree: HtmlTree, node: number): boolean {
  if (tree.attribute(node, "display") === "block" || tree.attribute(node, "mode") === "display") return true;
  let ancestor = tree.parent[node] ?? -1;
  for (let level = 0; level < 4 && ancestor > 0; level++) {
    if (/katex-display|MathJax_Display|math-block/.test(tree.attribute(ancestor, "class") ?? "")) return true;
    ancestor = tree.parent[ancestor] ?? -1;
  }
  return false;
}

/** Markdown parsers that know no formulas would read this as the start of a tag. */
const TAG_START = /<(?=[a-z/!?])/gi;

/**
 * Returns one line, without the style wrapper that wikis put around every formula. A space, which TeX
 * ignores, keeps "less than" from being read as a tag.
 */
function tidyTex(source: string): string {
  const tex = source.replace(/\s+/g, " ").trim();
  const wrapped = /^\{\\(?:display|text)style (.*)\}$/.exec(tex)?.[1];
  return (wrapped ?? tex).trim().replace(TAG_START, "< ");
}
