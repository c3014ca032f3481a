import MarkdownIt, { type Token } from "markdown-it";
import { expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";
import { removeBase64Images } from "./images.ts";

const BASE = "https://example.test/dir/page";
const PAGES = 150;

/** What a page consists of, in document order; what a reader of its Markdown must find again. */
interface Structure {
  readonly headings: string[];
  readonly paragraphs: string[];
  readonly items: string[];
  readonly rows: string[][];
  readonly code: string[];
  readonly inlineCode: string[];
  readonly links: string[];
}

/** Words that mean something in Markdown, among some that do not. */
const WORDS =
  "scroll reader ink a*b *x* _y_ snake_case __init__ 1. 2) # ## - + > >> || a|b ~~z~~ ~ ` `` \\ \\* ! ![ [x] [x](y) ]( <b> </div> <!-- & &amp; &copy; = === --- 漢字 straße “quote” ... : (c) $5 100% http://x.test/a_b *** ** _ @name [ ] 😀".split(
    " ",
  );

/** What is between marks: as a rule a space, sometimes punctuation or letters that touch both sides. */
const SEPARATORS = [" ", " ", " ", " ", ", ", "(", ")", "“", "。", "（", "漢", "/", "x", "—", "-"];

const LANGUAGES = ["", "js", "python"];

/** A small random page together with its structure; the same page for the same seed. */
class PageMaker {
  readonly structure: Structure = emptyStructure();
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1;
  }

  page(): string {
    const blocks = this.#repeat(2, 8, () => this.#block(0));
    return `<html><body><main>${blocks.join("\n")}</main></body></html>`;
  }

  #block(depth: number): string {
    const kinds = [
      () => this.#heading(),
      () => this.#paragraph(),
      () => this.#list(0),
      () => this.#table(),
      () => this.#codeBlock(),
      () => `<img src="data:image/png;base64,AAAA" alt="${escapeHtml(this.#words(1, 3))}">`,
      () => `<a href="/empty"></a><p><b> </b></p><blockquote>${this.#blocks(depth)}</blockquote>`,
    ];
    return kinds[this.#number(kinds.length)]?.() ?? "";
  }

  /** Some blocks inside another; only headings on the second level. */
  #blocks(depth: number): string {
    return this.#repeat(1, 3, () => (depth < 1 ? this.#block(depth + 1) : this.#heading())).join("\n");
  }

  #heading(): string {
    const level = 1 + this.#number(6);
    const text = this.#words(1, 5);
    this.structure.headings.push(text);
    return `<h${level}>${escapeHtml(text)}</h${level}>`;
  }

  #paragraph(): string {
    const { html, text } = this.#inline();
    this.structure.paragraphs.push(text);
    return `<p>${html}</p>`;
  }

  #list(depth: number): string {
    const name = this.#number(2) === 0 ? "ul" : "ol";
    const items = this.#repeat(1, 4, () => {
      const { html, text } = this.#inline();
      this.structure.items.push(text);
      return `<li>${html}${depth < 2 ? this.#restOfItem(depth) : ""}</li>`;
    });
    return `<${name} start="${this.#number(3)}">${items.join("\n")}</${name}>`;
  }

  /** What may follow the first line of an item. */
  #restOfItem(depth: number): string {
    switch (this.#number(8)) {
      case 0:
      case 1:
        return this.#list(depth + 1);
      case 2:
        return this.#codeBlock();
      case 3: {
        const { html, text } = this.#inline();
        this.structure.items.push(text);
        return `<p>${html}</p>`;
      }
      case 4:
        return `<blockquote>${this.#heading()}</blockquote>`;
      default:
        return "";
    }
  }

  #table(): string {
    const columns = 2 + this.#number(3);
    const rows = this.#repeat(2, 4, () => {
      const cells = Array.from({ length: columns }, () => this.#inline());
      this.structure.rows.push(cells.map((cell) => cell.text));
      return cells.map((cell) => cell.html);
    });
    const [head = [], ...body] = rows;
    const line = (cells: readonly string[], tag: string): string =>
      `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
    return `<table><thead>${line(head, "th")}</thead><tbody>${body.map((row) => line(row, "td")).join("")}</tbody></table>`;
  }

  #codeBlock(): string {
    const text = this.#repeat(1, 4, () => this.#words(1, 5)).join("\n");
    this.structure.code.push(text);
    const language = LANGUAGES[this.#number(LANGUAGES.length)];
    return `<pre><code class="language-${language}">${escapeHtml(text)}</code></pre>`;
  }

  /** Words, links, code and emphasis, parted by spaces or by punctuation alone. */
  #inline(): { html: string; text: string } {
    const [first = { html: "", text: "" }, ...others] = this.#repeat(1, 5, () => this.#inlinePart());
    return others.reduce((line, part) => {
      const between = SEPARATORS[this.#number(SEPARATORS.length)] ?? " ";
      return { html: line.html + between + part.html, text: line.text + between + part.text };
    }, first);
  }

  #inlinePart(): { html: string; text: string } {
    const text = this.#words(1, 4);
    const html = escapeHtml(text);
    switch (this.#number(7)) {
      case 0:
        this.structure.links.push(text);
        return { html: `<a href="/a_(${this.#number(9)})?b=c&d">${html}</a>`, text };
      case 1:
        this.structure.inlineCode.push(text);
        return { html: `<code>${html}</code>`, text };
      case 2:
        return { html: `<strong>${html}</strong>`, text };
      case 3:
        return { html: `<em>${html}</em>`, text };
      case 4:
        return { html: `<del><strong>${html}</strong></del>`, text };
      default:
        return { html, text };
    }
  }

  #words(least: number, most: number): string {
    return this.#repeat(least, most, () => WORDS[this.#number(WORDS.length)] ?? "").join(" ");
  }

  #repeat<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.#number(most - least + 1) }, make);
  }

  /** A whole number below `limit`. */
  #number(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
    return (this.#state >>> 8) % limit;
  }
}

/** What a reader finds in Markdown; `flaws` are raw tags, links without content and data URIs. */
class MarkdownReader {
  readonly structure: Structure = emptyStructure();
  readonly flaws: string[] = [];
  #row: string[] = [];
  /** Names of the open blocks around the current token. */
  readonly #open: string[] = [];

  read(markdown: string): this {
    const parser = new MarkdownIt({ html: true });
    parser.validateLink = () => true;
    for (const token of parser.parse(markdown, {})) this.#block(token);
    return this;
  }

  #block(token: Token): void {
    if (token.nesting === 1) this.#open.push(token.tag);
    if (token.type === "tr_close") {
      this.structure.rows.push(this.#row);
      this.#row = [];
    }
    if (token.type === "fence") this.structure.code.push(token.content.replace(/\n$/, ""));
    if (token.type === "html_block") this.flaws.push(token.content);
    if (token.type === "inline") this.#place(this.#inline(token.children ?? []));
    if (token.nesting === -1) this.#open.pop();
  }

  #place(text: string): void {
    const tag = this.#open.at(-1) ?? "";
    if (/^h\d$/.test(tag)) this.structure.headings.push(text);
    else if (tag === "th" || tag === "td") this.#row.push(text);
    else if (this.#open.at(-2) === "li") this.structure.items.push(text);
    else if (text !== "") this.structure.paragraphs.push(text);
  }

  #inline(tokens: readonly Token[]): string {
    let text = "";
    let linkStart = 0;
    for (const token of tokens) {
      if (token.type === "link_open") linkStart = text.length;
      if (token.type === "link_close") this.#link(text.slice(linkStart));
      if (token.type === "code_inline") this.structure.inlineCode.push(token.content);
      if (token.type === "html_inline") this.flaws.push(token.content);
      if (token.type === "image" && /^data:/i.test(token.attrGet("src") ?? "")) this.flaws.push("data URI");
      if (token.type !== "image") text += token.content;
    }
    return text;
  }

  #link(text: string): void {
    this.structure.links.push(text);
    if (text === "") this.flaws.push("empty link");
  }
}

function emptyStructure(): Structure {
  return { headings: [], paragraphs: [], items: [], rows: [], code: [], inlineCode: [], links: [] };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

test("a Markdown reader finds the structure of any page again, and nothing else", () => {
  for (let seed = 1; seed <= PAGES; seed++) {
    const maker = new PageMaker(seed);
    const html = maker.page();
    const markdown = removeBase64Images(toMarkdown(selectAll(parseHtml(html)), BASE));
    const reader = new MarkdownReader().read(markdown);
    expect({ html, markdown, ...reader.structure, flaws: reader.flaws }).toEqual({
      html,
      markdown,
      ...maker.structure,
      flaws: [],
    });
  }
});
