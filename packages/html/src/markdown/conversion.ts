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
import { isPlainText } from "./plain-text.ts";
import { protectedMail } from "./protected-mail.ts";
import type { Mark } from "./piece.ts";
import { AttributeNames } from "../parser/attribute-names.ts";

/** Writes one element: its own markup and, as a rule, its children. */
export type Rule = (conversion: Conversion, node: number) => void;

/** The link around the content that is being written. */
interface LinkAround {
  readonly mark: Mark;
  /** The heading that carries the link, -1 when the first line does. */
  readonly heading: number;
  /** The anchor. */
  readonly node: number;
  /** Whether it has text: then a line of images alone does not carry the link. */
  readonly hasWords: () => boolean;
}

const ANCHOR = tagId("a");
const SCRIPT = tagId("script");
const PRE = tagId("pre");

/** Next to every heading of a MediaWiki page: a link to edit the part below. */
const EDIT_LINK = "mw-editsection";
const SPAN = tagId("span");

/** A line that only is between two parts. */
const LONE_SIGN = /^\\?[|/•·›»]$/;

/** Inline elements whose edges may part words. */
const FIELD = tagSet("#unknown a abbr acronym bdi bdo cite data del ins label output q slot small span time");
/** Inline elements that only say how text looks. */
const LOOK = tagSet("b big dfn em font i mark s strike strong u var");

/** The state of one walk over the kept nodes of a page, and the steps that rules are made of. */
export class Conversion {
  readonly tree: HtmlTree;
  /** What relative addresses count from. */
  readonly base: UrlBase;
  readonly writer = new BlockWriter();
  /** The line that is being collected. */
  run = new InlineRun();
  /** Blocks are written as such in "paragraph" style only; headings and table cells hold inline content. */
  style: InlineStyle = "paragraph";
  /** The link around the current node. */
  link: LinkAround | undefined;
  /** Inside a list item. */
  isInItem = false;
  /** Inside a heading that has text. */
  isInWordedHeading = false;
  /** Addresses of images and players written so far. */
  readonly seenMedia = new Set<string>();
  /** Addresses, as written in the page, that a link with text leads to. */
  readonly linkedWithWords = lazy(() => this.#findLinkedWithWords());
  readonly #textLength: () => number;
  readonly #skipped: Uint8Array;
  readonly #hasCode: boolean;
  readonly #rules: readonly (Rule | undefined)[];

  /** @param rules - by tag id; elements without a rule are written as their children */
  constructor(selection: Selection, baseUrl: string, rules: readonly (Rule | undefined)[]) {
    this.tree = selection.tree;
    this.#textLength = lazy(() => textLengthOf(selection));
    this.#skipped = selection.skipped;
    this.#hasCode = selection.tree.tag.includes(PRE);
    this.base = new UrlBase(baseUrl);
    this.#rules = rules;
  }

  visit(node: number): void {
    const tag = this.tree.tag[node] ?? 0;
    if (this.#skipped[node] === 1) {
      // TeX is kept in scripts; any other script writes nothing.
      if (tag === SCRIPT) this.#rules[tag]?.(this, node);
      return;
    }
    if (tag === TEXT) {
      if (this.tree.isBlank(node)) this.run.space();
      else this.run.text(this.#textOf(node));
      return;
    }
    if (isHidden(this.tree, node) || isDrawnCopy(this.tree, node)) return;
    if (this.style !== "cell" && isIconName(this.tree, node)) return;
    if (this.#hasCode && isCodeBadge(this.tree, node)) return;
    const shown =
      drawnValue(this.tree, node) ?? (tag === ANCHOR ? undefined : protectedMail(this.tree, node));
    if (shown !== undefined) this.run.text(shown);
    else if (FIELD[tag] === 1 || LOOK[tag] === 1) this.#visitInline(node, tag);
    else this.#write(node, tag);
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

  /** Whether the element is part of the output, ancestors aside. */
  isKept(node: number): boolean {
    return this.#skipped[node] !== 1 && !isHidden(this.tree, node);
  }

  /** Ends the current line: with a paragraph, or inside headings and cells with a line break. */
  boundary(): void {
    if (this.style !== "paragraph") this.run.edge();
    else if (!this.run.isEmpty) this.#writeParagraph();
  }

  /** The children as a block of their own. */
  block(node: number): void {
    this.boundary();
    const text = this.style === "paragraph" && this.run.isUntouched ? this.#plainTextOf(node) : undefined;
    if (text === undefined) this.children(node);
    else this.#writeLine(renderPlainText(text, "paragraph"));
    this.boundary();
  }

  /** Runs `content` with every line of it inside `mark`; headings are bold already and stay as they are. */
  marked(mark: Mark, content: () => void): void {
    if (this.style === "heading" || this.run.isInside(mark.kind)) {
      content();
      return;
    }
    this.run.open(mark);
    content();
    this.run.close(mark);
  }

  /** Collects the children on a line of their own and returns its Markdown. */
  captureChildren(style: InlineStyle, node: number): string {
    const text = this.#plainTextOf(node);
    return text === undefined ? this.capture(style, () => this.children(node)) : renderPlainText(text, style);
  }

  /** Collects `content` on a line of its own and returns its Markdown. */
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
   * The text of an element that holds nothing but one plain text, which needs no line to be collected: a third of all
   * elements are like that. `undefined` for others.
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

  /** What a text contributes to the line; "" for what is not text of the page. */
  #textOf(node: number): string {
    const text = withoutBuilderCodes(this.tree.text(node));
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

  /** Writes the current line; marks that are still open continue on the next one, links do not. */
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

/** Codes of page builders that a site without its builder shows as text: `[vc_row type="full"]`, `[/et_pb_text]`. */
const CODES = /\[\/?(?:vc|et_pb|fusion|av|mk|nectar)_[a-z\d_]{1,40}(?:\s[^[\]]{0,2000})?\]/g;
const BEGINS = /^\s{0,200}\[\/?(?:vc|et_pb|fusion|av|mk|nectar)_[a-z]/;

/** The text without the codes of page builders that it begins with; one that mentions them stays as it is. */
export function withoutBuilderCodes(text: string): string {
  return BEGINS.test(text) ? text.replace(CODES, " ") : text;
}

const LABELLED = new AttributeNames("aria-label");
/** Values that are drawn have a number: `4.5 out of 5 stars`. What else a drawing is called is not text of the page. */
const VALUE = /\d/;
const MAX_CHARS = 80;

/** What a drawing without text says to those who do not see it, where it shows a value; undefined for all else. */
function drawnValue(tree: HtmlTree, node: number): string | undefined {
  if (!tree.mayHave(node, LABELLED) || tree.attribute(node, "role") !== "img") return undefined;
  const label = tree.attribute(node, "aria-label")?.trim() ?? "";
  const isValue = VALUE.test(label) && label.length <= MAX_CHARS;
  return isValue && !holdsText(tree, node) ? label : undefined;
}
