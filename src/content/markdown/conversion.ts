import { type HtmlTree, TEXT, tagId } from "../html/tree.ts";
import type { Selection } from "../html/selection.ts";
import { BlockWriter } from "./block-writer.ts";
import { isHidden } from "./hidden.ts";
import { type InlineStyle, renderInline } from "./inline-render.ts";
import { InlineRun, type Mark } from "./inline-run.ts";

/** Writes one element: its own markup and, as a rule, its children. */
export type Rule = (conversion: Conversion, node: number) => void;

/** The link around the content that is being written. */
export interface LinkAround {
  readonly mark: Mark;
  /** The heading that carries the link, -1 when the first line does. */
  readonly heading: number;
  /** Whether the link has text; then a line of images alone does not carry it. */
  readonly hasText: boolean;
}

const SCRIPT = tagId("script");

/** The state of one walk over the kept nodes of a page, and the steps that rules are made of. */
export class Conversion {
  readonly tree: HtmlTree;
  readonly baseUrl: string;
  readonly writer = new BlockWriter();
  /** The line that is being collected. */
  run = new InlineRun();
  /** Blocks are written as such in "paragraph" style only; headings and table cells hold inline content. */
  style: InlineStyle = "paragraph";
  /** The link around the current node. */
  link: LinkAround | undefined;
  /** Inside a list item. */
  isInItem = false;
  /** Image addresses written so far. */
  readonly seenImages = new Set<string>();
  readonly #skipped: Uint8Array;
  readonly #rules: readonly (Rule | undefined)[];

  /** @param rules - by tag id; elements without a rule are written as their children */
  constructor(selection: Selection, baseUrl: string, rules: readonly (Rule | undefined)[]) {
    this.tree = selection.tree;
    this.#skipped = selection.skipped;
    this.baseUrl = baseUrl;
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
      this.run.text(this.tree.text(node));
      return;
    }
    if (isHidden(this.tree, node)) return;
    const rule = this.#rules[tag];
    if (rule) rule(this, node);
    else this.children(node);
  }

  children(node: number): void {
    for (const child of this.childrenOf(node)) this.visit(child);
  }

  /** All children, kept or not. */
  *childrenOf(node: number): Generator<number, void> {
    const end = this.tree.end[node] ?? 0;
    let child = node + 1;
    while (child < end) {
      yield child;
      child = this.tree.end[child] ?? end;
    }
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
    this.children(node);
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

  /** Collects `content` on a line of its own and returns its Markdown. */
  capture(style: InlineStyle, content: () => void): string {
    const outer = { run: this.run, style: this.style };
    this.run = new InlineRun();
    this.style = style;
    content();
    const { pieces } = this.run.finish();
    this.run = outer.run;
    this.style = outer.style;
    return renderInline(pieces, style);
  }

  /** Writes the current line; marks that are still open continue on the next one, links do not. */
  #writeParagraph(): void {
    const { run, link } = this;
    const passesOn = link !== undefined && link.hasText && run.holdsNoText(link.mark);
    if (passesOn) run.cancel(link.mark);
    const { pieces, openMarks } = run.finish();
    this.run = new InlineRun(openMarks.filter((mark) => mark.kind !== "link" || passesOn));
    const markdown = renderInline(pieces, "paragraph");
    if (markdown !== "") this.writer.block(markdown);
  }
}
