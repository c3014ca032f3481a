import { escapeAttribute, escapeText } from "./html-escape.ts";
import type {
  Block,
  Cell,
  DocumentModel,
  Inline,
  ListBlock,
  ListItem,
  TableBlock,
  TextRun,
} from "./document.ts";

/** How to write content that HTML has no element for. */
export interface HtmlStyle {
  /** HTML of a reference to a note. */
  readonly recordReference: (number: number) => string;
  /** HTML of a picture without a URL. */
  readonly embeddedPicture: (alt: string) => string;
}

const PAGE_STYLE: HtmlStyle = {
  recordReference: (number) => `<sup><a href="#note-${number}">${number}</a></sup>`,
  embeddedPicture: (alt) => `<img alt="${escapeAttribute(alt)}">`,
};

/** For the head element. */
export interface PageProperties {
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly author?: string;
}

/** A document as an HTML page; notes follow the text. */
export function documentHtml({ blocks, notes }: DocumentModel, properties: PageProperties): string {
  const language = properties.language ? ` lang="${escapeAttribute(properties.language)}"` : "";
  const items = notes.map(
    (note) => `<li id="note-${note.number}">${blocksHtml(note.blocks, PAGE_STYLE)}</li>`,
  );
  const footnotes = items.length > 0 ? `<hr><ol>${items.join("")}</ol>` : "";
  const body = `${blocksHtml(blocks, PAGE_STYLE)}${footnotes}`;
  return `<!DOCTYPE html><html${language}><head>${headHtml(properties)}</head><body>${body}</body></html>`;
}

function headHtml({ title, description, author }: PageProperties): string {
  const named = Object.entries({ description, author }).flatMap(([name, content]) =>
    content ? [`<meta name="${name}" content="${escapeAttribute(content)}">`] : [],
  );
  return `<meta charset="utf-8">${title ? `<title>${escapeText(title)}</title>` : ""}${named.join("")}`;
}

/** All on one line, except code. */
export function blocksHtml(blocks: readonly Block[], style: HtmlStyle): string {
  return blocks.map((block) => blockHtml(block, style)).join("");
}

function tableHtml({ rows, headerRows }: TableBlock, style: HtmlStyle): string {
  const lines = rows.map((row, at) => {
    const tag = at < headerRows ? "th" : "td";
    return `<tr>${row.map((slot) => (slot ? cellHtml(slot, tag, style) : "")).join("")}</tr>`;
  });
  const head = headerRows > 0 ? `<thead>${lines.slice(0, headerRows).join("")}</thead>` : "";
  return `<table>${head}<tbody>${lines.slice(headerRows).join("")}</tbody></table>`;
}

function blockHtml(block: Block, style: HtmlStyle): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${inlineHtml(block.content, style)}</h${block.level}>`;
    case "paragraph":
      return `<p>${inlineHtml(block.content, style)}</p>`;
    case "list":
      return listHtml(block, style);
    case "table":
      return tableHtml(block, style);
    case "quote":
      return `<blockquote>${blocksHtml(block.blocks, style)}</blockquote>`;
    case "code":
      return codeHtml(block.text, block.language);
    case "rule":
      return "<hr>";
  }
}

function codeHtml(text: string, language: string): string {
  const name = language === "" ? "" : ` class="language-${escapeAttribute(language)}"`;
  // HTML ignores the first line break in a pre element.
  return `<pre><code${name}>\n${escapeText(text)}</code></pre>`;
}

function listHtml({ isOrdered, items }: ListBlock, style: HtmlStyle): string {
  const tag = isOrdered ? "ol" : "ul";
  const start = isOrdered ? (items[0]?.number ?? 1) : 1;
  const opening = start === 1 ? `<${tag}>` : `<${tag} start="${start}">`;
  return `${opening}${items.map((item) => itemHtml(item, style)).join("")}</${tag}>`;
}

/** An item with a single paragraph gets its text without a p element, as in hand-written lists. */
function itemHtml({ number, isChecked, blocks }: ListItem, style: HtmlStyle): string {
  const value = number === undefined ? "" : ` value="${number}"`;
  const box =
    isChecked === undefined ? "" : `<input type="checkbox" disabled${isChecked ? " checked" : ""}> `;
  const [first, ...others] = blocks;
  const opening = first?.kind === "paragraph" ? inlineHtml(first.content, style) : "";
  const rest = first?.kind === "paragraph" ? others : blocks;
  return `<li${value}>${box}${opening}${blocksHtml(rest, style)}</li>`;
}

function cellHtml({ blocks, columns, rows }: Cell, tag: "td" | "th", style: HtmlStyle): string {
  const spans = (columns > 1 ? ` colspan="${columns}"` : "") + (rows > 1 ? ` rowspan="${rows}"` : "");
  const [only, ...others] = blocks;
  const isText = only?.kind === "paragraph" && others.length === 0;
  return `<${tag}${spans}>${isText ? inlineHtml(only.content, style) : blocksHtml(blocks, style)}</${tag}>`;
}

function inlineHtml(content: readonly Inline[], style: HtmlStyle): string {
  return content.map((inline) => oneInlineHtml(inline, style)).join("");
}

function oneInlineHtml(inline: Inline, style: HtmlStyle): string {
  switch (inline.kind) {
    case "text":
      return textHtml(inline);
    case "link":
      return `<a href="${escapeAttribute(inline.url)}">${inlineHtml(inline.content, style)}</a>`;
    case "image":
      return inline.url === undefined
        ? style.embeddedPicture(inline.alt)
        : `<img src="${escapeAttribute(inline.url)}" alt="${escapeAttribute(inline.alt)}">`;
    case "note":
      return style.recordReference(inline.number);
    case "formula":
      return inline.mathMl;
    case "break":
      return "<br>";
  }
}

/** From the innermost element outwards. */
const LOOKS = [
  ["isCode", "code"],
  ["isStruck", "s"],
  ["isItalic", "em"],
  ["isBold", "strong"],
] as const;

function textHtml(run: TextRun): string {
  let html = escapeText(run.text);
  for (const [look, tag] of LOOKS) if (run[look]) html = `<${tag}>${html}</${tag}>`;
  return html;
}
