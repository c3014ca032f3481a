import { AttributeNames } from "../parser/attribute-names.ts";
import { type HtmlTree, tagId, UNKNOWN } from "../parser/tree.ts";
import { latexOf } from "./math-latex.ts";

const ANNOTATION = tagId("annotation");
const MATH = tagId("math");
const SCRIPT = tagId("script");

/** A formula in TeX notation. */
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
  const tex = tidyTex(annotationOf(tree, node) ?? alternative ?? latexOf(tree, node));
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

function isDisplay(tree: HtmlTree, node: number): boolean {
  if (tree.attribute(node, "display") === "block" || tree.attribute(node, "mode") === "display") return true;
  let ancestor = tree.parent[node] ?? -1;
  for (let level = 0; level < 4 && ancestor > 0; level++) {
    if (/katex-display|MathJax_Display|math-block/.test(tree.attribute(ancestor, "class") ?? "")) return true;
    ancestor = tree.parent[ancestor] ?? -1;
  }
  return false;
}

/** Whether a script of the page draws formulas that its text holds between delimiters. */
export function drawsTex(tree: HtmlTree): boolean {
  for (let node = tree.tag.indexOf(SCRIPT); node >= 0; node = tree.tag.indexOf(SCRIPT, node + 1))
    if (/mathjax|katex/i.test(tree.attribute(node, "src") ?? "")) return true;
  return false;
}

/** What MathJax reads as formulas unless it is told otherwise. Of dollars, only what looks like TeX. */
const DELIMITERS = [
  { opening: "\\(", closing: "\\)", isDisplay: false, looks: /\S/ },
  { opening: "\\[", closing: "\\]", isDisplay: true, looks: /\S/ },
  { opening: "$$", closing: "$$", isDisplay: true, looks: /[\\^_=]/ },
];

const NO_DELIMITER = { opening: "", closing: "", isDisplay: false, looks: /^$/ };

/** A text in parts: plain ones and formulas. */
export function withFormulas(text: string): readonly (string | MathSource)[] {
  const parts: (string | MathSource)[] = [];
  const starts = DELIMITERS.map(({ opening }) => text.indexOf(opening));
  let at = 0;
  for (;;) {
    const start = Math.min(...starts.map((one) => (one < 0 ? Infinity : one)));
    if (start === Infinity) break;
    const kind = starts.indexOf(start);
    const { opening, closing, looks, ...found } = DELIMITERS[kind] ?? NO_DELIMITER;
    const end = text.indexOf(closing, start + 2);
    const tex = end < 0 ? "" : tidyTex(text.slice(start + 2, end));
    const isFormula = looks.test(tex);
    if (isFormula) {
      if (start > at) parts.push(text.slice(at, start));
      parts.push({ tex, ...found });
      at = end + 2;
    }
    // What nothing closes, nothing closes later either.
    const from = isFormula ? at : start + 2;
    for (const [each, { opening: next }] of DELIMITERS.entries()) {
      const known = starts[each] ?? -1;
      if (known >= 0 && known < from)
        starts[each] = end < 0 && next === opening ? -1 : text.indexOf(next, from);
    }
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

const NAMED = ["data-latex", "data-tex", "data-math", "data-equation"];
const NAMES = new AttributeNames(NAMED.join(" "));
const MATHJAX = "mjx-container";

/**
 * The formula that an element draws: MathJax without a copy in MathML, or an element that carries its source in an
 * attribute; undefined for any other element.
 */
export function drawnFormula(tree: HtmlTree, node: number): MathSource | undefined {
  if (tree.tag[node] === UNKNOWN && tree.nameOf(node) === MATHJAX) {
    if (holdsMath(tree, node)) return undefined;
    const tex = latexOf(tree, node);
    return tex === "" ? undefined : { tex, isDisplay: tree.attribute(node, "display") === "true" };
  }
  return tree.mayHave(node, NAMES) ? namedSource(tree, node) : undefined;
}

function namedSource(tree: HtmlTree, node: number): MathSource | undefined {
  let source: string | undefined;
  // NOTE: nearly every page has elements that only seem to have one of the names.
  for (const name of NAMED) source ??= tree.attribute(node, name);
  if (source === undefined) return undefined;
  const tex = tidyTex(source.replace(/^\s*(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])\s*$/g, ""));
  if (tex === "" || !/[\\^_=+\d{}]|^.{1,3}$/u.test(tex)) return undefined;
  const isBlock = tree.nameOf(node) === "div" || /display|block/i.test(tree.attribute(node, "class") ?? "");
  return { tex, isDisplay: isBlock };
}

function holdsMath(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) if (tree.tag[inner] === MATH) return true;
  return false;
}

/** Services that draw LaTeX, which is part of the address. */
const SERVICE =
  /(?:latex\.codecogs\.com\/(?:svg|gif|png|jpg)(?:\.\w+|\.latex)?\?|wp\.com\/latex\.php\?(?:[^#]*&)?latex=|\/chart\?(?:[^#]*&)?cht=tx&(?:[^#]*&)?chl=|\/(?:mathtex|mimetex)\.cgi\?|math\.now\.sh\/?\?from=)([^&#]+)/i;
/** A command of LaTeX with its argument, which no other text has. */
const COMMAND = /\\[a-z]{2,}\s?\{[^}]*\}/i;
const FORMULA_CLASS = /(?:^|[\s_-])(?:latex|tex|math(?:ml|jax)?|equation|formula)(?:$|[\s_-])/i;

/** The LaTeX that a picture shows; undefined for other pictures. */
export function pictureSource(tree: HtmlTree, node: number): string | undefined {
  const address = tree.attribute(node, "src") ?? "";
  const inAddress = address.includes("?") ? SERVICE.exec(address)?.[1] : undefined;
  const alternative = tree.attribute(node, "alt") ?? "";
  if (inAddress !== undefined) return tidyTex(alternative || decoded(inAddress)) || undefined;
  const path = alternative === "" && address.includes("%5C") ? decoded(address.replace(/^.*\//, "")) : "";
  if (COMMAND.test(path)) return tidyTex(path);
  const isNamed = /[\\^_=]/.test(alternative) && FORMULA_CLASS.test(tree.attribute(node, "class") ?? "");
  const isFormula = isNamed || COMMAND.test(alternative);
  return isFormula ? tidyTex(alternative.replace(/^\$+|\$+$/g, "")) || undefined : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
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
