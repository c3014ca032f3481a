import { lazy } from "@pergamon-dev/kit/lazy";
import { type HtmlTree, tagId, TEXT } from "../parser/tree.ts";
import { tagSet } from "../parser/tag-traits.ts";
import type { Selection } from "../selection/selection.ts";
import { UrlBase } from "../selection/url-base.ts";
import { BlockWriter } from "./block-writer.ts";
import { isCodeBadge } from "./code-badge.ts";
import { isDrawnCopy, isIconName } from "./drawn-copy.ts";
import { isHidden } from "./hidden.ts";
import { type InlineStyle, renderInline, renderPlainText } from "./inline-render.ts";
import { holdsText } from "../selection/text.ts";
import { InlineRun } from "./inline-run.ts";
import { isScriptData, isWindowNote, textLengthOf, withoutTypedBullet } from "./left-out-text.ts";
import { drawnFormula, drawsTex, type MathSource, withFormulas } from "./math-source.ts";
import { NoteWriter } from "./note-writer.ts";
import { isPlainText } from "./plain-text.ts";
import { protectedMail } from "./protected-mail.ts";
import type { Mark } from "./piece.ts";
import { hiddenByStyle } from "./style-hidden.ts";
import { AttributeNames } from "../parser/attribute-names.ts";

/** Writes one element: its own markup and usually its children. */
export type Rule = (conversion: Conversion, node: number) => void;

/** The link around the content that is being written. */
interface LinkAround {
  readonly mark: Mark;
  /** Heading that carries the link, -1 when the first line carries it. */
  readonly heading: number;
  readonly node: number;
  /** Whether the link has text. If so, a line with only images does not carry the link. */
  readonly hasWords: () => boolean;
}

const ANCHOR = tagId("a");
const SCRIPT = tagId("script");
const PRE = tagId("pre");

/** Class of the edit link next to every heading of a MediaWiki page. */
const EDIT_LINK = "mw-editsection";
const SPAN = tagId("span");

/** A line that only separates two parts. */
const LONE_SIGN = /^\\?[|/•·›»]$/;

/** Inline elements whose edges may separate words. */
const FIELD = tagSet("#unknown a abbr acronym bdi bdo cite data del ins label output q slot small span time");
/** Inline elements that only change how text looks. */
const LOOK = tagSet("b big dfn em font i mark s strike strong u var");

/** State of one walk over the kept nodes of a page, with the operations that rules use. */
export class Conversion {
  readonly tree: HtmlTree;
  /** Base URL that relative URLs resolve against. */
  readonly base: UrlBase;
  readonly writer = new BlockWriter();
  /** The line being collected. */
  run = new InlineRun();
  /**
   * Block elements are written as blocks only in "paragraph" style. Headings and table cells hold inline
   * content.
   */
  style: InlineStyle = "paragraph";
  link: LinkAround | undefined;
  /** Whether the current node is inside a list item. */
  isInItem = false;
  /** Whether the current node is inside a heading that has text. */
  isInWordedHeading = false;
  /** URLs of the images and players written so far. */
  readonly seenMedia = new Set<string>();
  /** Targets of links with text, as written in the page. */
  readonly linkedWithWords = lazy(() => this.#findLinkedWithWords());
  readonly notes: NoteWriter;
  readonly #textLength: () => number;
  readonly #skipped: Uint8Array;
  readonly #unseen: Uint8Array | undefined;
  readonly #hasCode: boolean;
  readonly #drawsTex: boolean;
  readonly #rules: readonly (Rule | undefined)[];

  /** @param rules - by tag id; for elements without a rule only the children are written */
  constructor(selection: Selection, baseUrl: string, rules: readonly (Rule | undefined)[]) {
    this.tree = selection.tree;
    this.notes = new NoteWriter(selection);
    this.#textLength = lazy(() => textLengthOf(selection));
    this.#skipped = selection.skipped;
    this.#unseen = hiddenByStyle(selection.tree);
    this.#hasCode = selection.tree.tag.includes(PRE);
    this.#drawsTex = drawsTex(selection.tree);
    this.base = new UrlBase(baseUrl);
    this.#rules = rules;
  }

  visit(node: number): void {
    const tag = this.tree.tag[node] ?? 0;
    if (this.#skipped[node] === 1) {
      // Scripts may hold TeX. Any other script writes nothing.
      if (tag === SCRIPT) this.#rules[tag]?.(this, node);
      return;
    }
    if (!this.notes.isEmpty && this.notes.write(this, node)) return;
    if (tag === TEXT) {
      if (this.tree.isBlank(node)) this.run.space();
      else if (this.#drawsTex) this.#writeFormulas(this.#textOf(node));
      else this.run.text(this.#textOf(node));
      return;
    }
    if (this.isHidden(node) || isDrawnCopy(this.tree, node)) return;
    if (this.style !== "cell" && isIconName(this.tree, node)) return;
    if (this.#hasCode && isCodeBadge(this.tree, node)) return;
    const shown =
      drawnValue(this.tree, node) ?? (tag === ANCHOR ? undefined : protectedMail(this.tree, node));
    const formula = drawnFormula(this.tree, node);
    if (formula !== undefined) this.formula(formula);
    else if (shown !== undefined) this.run.text(shown);
    else if (FIELD[tag] === 1 || LOOK[tag] === 1) this.#visitInline(node, tag);
    else this.#write(node, tag);
  }

  /** Writes a formula: `$…$` in a line, `$$…$$` on a separate line. */
  formula({ tex, isDisplay }: MathSource): void {
    if (isDisplay) this.boundary();
    this.run.verbatim(isDisplay ? `$$${tex}$$` : `$${tex}$`);
    if (isDisplay) this.boundary();
  }

  /** Writes a text with the formulas that scripts of the page draw in it. */
  #writeFormulas(text: string): void {
    for (const part of withFormulas(text)) {
      if (typeof part === "string") this.run.text(part);
      else this.formula(part);
    }
  }

  #visitInline(node: number, tag: number): void {
    if (tag === SPAN && this.tree.attributeStartsWith(node, "class", EDIT_LINK)) return;
    this.run.startElement(LOOK[tag] === 1);
    this.#write(node, tag);
    this.run.endElement();
  }

  #write(node: number, tag: number): void {
    const rule = this.#rules[tag];
    if (rule) rule(this, node);
    else this.children(node);
  }

  children(node: number): void {
    const { end } = this.tree;
    const last = end[node] ?? 0;
    for (let child = node + 1; child < last; child = end[child] ?? last) this.visit(child);
  }

  /** All children, kept or not. */
  childrenOf(node: number): readonly number[] {
    const { end } = this.tree;
    const last = end[node] ?? 0;
    const children: number[] = [];
    for (let child = node + 1; child < last; child = end[child] ?? last) children.push(child);
    return children;
  }

  /** Whether the output includes the element, ancestors aside. */
  isKept(node: number): boolean {
    return this.#skipped[node] !== 1 && !this.isHidden(node);
  }

  isHidden(node: number): boolean {
    return this.#unseen?.[node] === 1 || isHidden(this.tree, node);
  }

  /** Ends the current line with a paragraph break; inside headings and cells with a line break. */
  boundary(): void {
    if (this.style !== "paragraph") this.run.edge();
    else if (!this.run.isEmpty) this.#writeParagraph();
  }

  /** Writes the children as a separate block. */
  block(node: number): void {
    this.boundary();
    const text = this.style === "paragraph" && this.run.isUntouched ? this.#plainTextOf(node) : undefined;
    if (text === undefined) this.children(node);
    else this.#writeLine(renderPlainText(text, "paragraph"));
    this.boundary();
  }

  /**
   * Runs `content` with each of its lines inside `mark`. Headings are bold already, so they stay unmarked.
   */
  marked(mark: Mark, content: () => void): void {
    if (this.style === "heading" || this.run.isInside(mark.kind)) {
      content();
      return;
    }
    this.run.open(mark);
    content();
    this.run.close(mark);
  }

  /** Collects the children on a separate line and returns its Markdown. */
  captureChildren(style: InlineStyle, node: number): string {
    const text = this.#plainTextOf(node);
    return text === undefined ? this.capture(style, () => this.children(node)) : renderPlainText(text, style);
  }

  /** Collects `content` on a separate line and returns its Markdown. */
  capture(style: InlineStyle, content: () => void): string {
    const outer = { run: this.run, style: this.style };
    this.run = new InlineRun();
    this.style = style;
    content();
    const line = this.run.finish();
    this.run = outer.run;
    this.style = outer.style;
    return renderInline(line, style);
  }

  /**
   * The text of an element that holds nothing but one plain text; `undefined` for other elements. It needs no
   * line to be collected, and a third of all elements are like that.
   */
  #plainTextOf(node: number): string | undefined {
    const { tree } = this;
    const child = node + 1;
    if (tree.tag[child] !== TEXT || tree.end[node] !== child + 1 || this.#skipped[child] === 1)
      return undefined;
    const text = this.#textOf(child);
    if (!isPlainText(text)) return undefined;
    return text.trim() || undefined;
  }

  /** The contribution of a text node to the line; "" when the text is not content. */
  #textOf(node: number): string {
    const text = withoutBuilderCodes(this.notes.textOf(node) ?? this.tree.text(node));
    if (this.isInItem && this.run.isEmpty && this.writer.isAtMarker) return withoutTypedBullet(text);
    if (this.link !== undefined && isWindowNote(text)) return " ";
    return isScriptData(this.tree, node, this.#textLength) ? "" : text;
  }

  #findLinkedWithWords(): ReadonlySet<string> {
    const { tree } = this;
    const addresses = new Set<string>();
    for (let node = 0; node < tree.size; node++) {
      if (this.#skipped[node] === 1) node = (tree.end[node] ?? tree.size) - 1;
      else if (tree.tag[node] === ANCHOR && holdsText(tree, node))
        addresses.add(tree.attribute(node, "href") ?? "");
    }
    return addresses;
  }

  /** Writes the current line. Marks that are still open continue on the next line, links do not. */
  #writeParagraph(): void {
    const { run, link } = this;
    const passesOn = link !== undefined && run.holdsNoText(link.mark) && link.hasWords();
    if (passesOn) run.cancel(link.mark);
    const line = run.finish();
    for (const mark of line.openMarks) if (mark.kind !== "link" || passesOn) run.open(mark);
    const markdown = renderInline(line, "paragraph");
    if (line.hasBreaks) this.writer.block(markdown);
    else this.#writeLine(markdown);
  }

  #writeLine(markdown: string): void {
    if (markdown.length > 2 || !LONE_SIGN.test(markdown)) this.writer.line(markdown);
  }
}

/**
 * Shortcodes of page builders that a site without its builder shows as text: `[vc_row type="full"]`,
 * `[/et_pb_text]`.
 */
const CODES = /\[\/?(?:vc|et_pb|fusion|av|mk|nectar)_[a-z\d_]{1,40}(?:\s[^[\]]{0,2000})?\]/g;
const BEGINS = /^\s{0,200}\[\/?(?:vc|et_pb|fusion|av|mk|nectar)_[a-z]/;

/**
 * Removes page builder shortcodes from a text that begins with one. A text that only mentions them stays
 * unchanged.
 */
export function withoutBuilderCodes(text: string): string {
  return BEGINS.test(text) ? text.replace(CODES, " ") : text;
}

const LABELLED = new AttributeNames("aria-label");
/** Drawn values contain a number: `4.5 out of 5 stars`. Any other label of a drawing is not content. */
const VALUE = /\d/;
const MAX_CHARS = 80;

/** The accessible label of a drawing without text, when it shows a value; else undefined. */
function drawnValue(tree: HtmlTree, node: number): string | undefined {
  if (!tree.mayHave(node, LABELLED) || tree.attribute(node, "role") !== "img") return undefined;
  const label = tree.attribute(node, "aria-label")?.trim() ?? "";
  const isValue = VALUE.test(label) && label.length <= MAX_CHARS;
  return isValue && !holdsText(tree, node) ? label : undefined;
}
