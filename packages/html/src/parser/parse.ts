import { isBlankBetween, isLetter } from "./characters.ts";
import { closeAt, closeBefore } from "./implied-ends.ts";
import { withInnerDocuments } from "./inner-documents.ts";
import { NodeTable } from "./node-table.ts";
import { OpenElements } from "./open-elements.ts";
import { endOfComment, findRawTextEnd } from "./raw-text.ts";
import { seenTree } from "./slots.ts";
import { TagReader } from "./tag-reader.ts";
import { DROPS_FIRST_NEWLINE, HEAD_CONTENT, PAGE_PART, RAW_TEXT, tagSet, VOID } from "./tag-traits.ts";
import { DOCUMENT, type HtmlTree, tagId, TEXT } from "./tree.ts";

const BANG = 33;
const SLASH = 47;
const QUESTION = 63;

const BODY = tagId("body");
const BR = tagId("br");
const FRAMESET = tagId("frameset");
const HEAD = tagId("head");
const HTML = tagId("html");
const NOSCRIPT = tagId("noscript");

/**
 * Parses a page in one pass. Takes time in proportion to the input and never throws, for any input.
 *
 * Comments, doctype and processing instructions are dropped. Raw-text elements (script, style, textarea,
 * title …) keep their text as one child. Implied end tags are supplied; nothing is moved, and absent html,
 * head or body elements are not invented. Of a page that begins with a frameset, only the frames are kept.
 * Elements nested deeper than 512 become childless children of the element at that depth, and a tag keeps at
 * most its first 1,024 attributes. Content of `template` is kept as ordinary children, and a document in a frame
 * (`srcdoc`) stands in place of the frame, and parts of an element with a shadow root in its slots.
 *
 * @param mayHaveNul false saves a search that is slow in text beyond Latin-1.
 */
export function parseHtml(html: string, mayHaveNul = true): HtmlTree {
  const tree = new Parser(html).run(mayHaveNul);
  return tree.mayHaveAnywhere("srcdoc") ? new Parser(withInnerDocuments(html)).run(mayHaveNul) : tree;
}

class Parser {
  readonly #source: string;
  readonly #table: NodeTable;
  readonly #open: OpenElements;
  readonly #reader: TagReader;
  #hasHead = false;
  /** Whether frames replace the body, so that nothing else is shown. Undefined before the first frameset. */
  #hasFrames: boolean | undefined;
  /** Offset of the last noscript end tag that was looked up. */
  #noscriptEnd = -1;

  constructor(source: string) {
    this.#source = source;
    this.#table = new NodeTable(source.length);
    this.#open = new OpenElements(this.#table);
    this.#reader = new TagReader(source, this.#table.attributes);
  }

  run(mayHaveNul: boolean): HtmlTree {
    const { length } = this.#source;
    this.#table.add(DOCUMENT, -1, 0, 0);
    let at = 0;
    while (at < length) {
      const markup = this.#nextMarkup(at);
      if (markup > at) this.#text(at, markup);
      at = markup < length ? this.#markup(markup) : length;
    }
    this.#open.closeFrom(1);
    this.#table.end[0] = this.#table.size;
    return seenTree(this.#source, this.#table, mayHaveNul);
  }

  /** Offset of the next `<` that begins a tag or a comment. Any other `<` is text. */
  #nextMarkup(from: number): number {
    const source = this.#source;
    for (let at = source.indexOf("<", from); at >= 0; at = source.indexOf("<", at + 1)) {
      const code = source.charCodeAt(at + 1);
      if (isLetter(code) || code === SLASH || code === BANG || code === QUESTION) return at;
    }
    return source.length;
  }

  #text(from: number, to: number): void {
    if (this.#hasFrames === true) return;
    const open = this.#open;
    if (open.tag === HEAD && !isBlankBetween(this.#source, from, to)) open.closeFrom(open.depth);
    this.#table.add(TEXT, open.node, from, to);
  }

  /** Handles the markup at a `<` and returns the offset after it. */
  #markup(at: number): number {
    const code = this.#source.charCodeAt(at + 1);
    if (code === SLASH) return this.#endTag(at + 2);
    return code === BANG || code === QUESTION ? this.#declaration(at + 2) : this.#startTag(at + 1);
  }

  #endTag(nameStart: number): number {
    if (!isLetter(this.#source.charCodeAt(nameStart))) return this.#oddEndTag(nameStart);
    const reader = this.#reader;
    reader.read(nameStart);
    this.#table.attributes.dropTag();
    if (!reader.closed) return this.#source.length;
    const { tag } = reader;
    if (tag === BR) this.#table.add(BR, this.#open.node, nameStart, nameStart + 2);
    else if (tag !== BODY && tag !== HTML) closeAt(this.#open, tag, reader.hash);
    return reader.next;
  }

  /** Handles an end tag without a name as a comment, or as text at the end of the page. */
  #oddEndTag(nameStart: number): number {
    if (nameStart === this.#source.length) this.#text(nameStart - 2, nameStart);
    return this.#after(">", nameStart);
  }

  /** Skips an end tag that ends nothing and returns the offset after it. */
  #skipEndTag(nameStart: number): number {
    const reader = this.#reader;
    reader.read(nameStart);
    this.#table.attributes.dropTag();
    return reader.closed ? reader.next : this.#source.length;
  }

  /** Skips comments, doctype and processing instructions; reads character data in svg and math. */
  #declaration(from: number): number {
    const source = this.#source;
    if (source.startsWith("--", from) && source.charCodeAt(from - 1) === BANG) return this.#comment(from + 2);
    if (!this.#open.foreign || !source.startsWith("[CDATA[", from)) return this.#after(">", from);
    const next = this.#after("]]>", from);
    this.#text(from + 7, source.endsWith("]]>", next) ? Math.max(from + 7, next - 3) : next);
    return next;
  }

  #comment(from: number): number {
    const source = this.#source;
    if (source.startsWith(">", from)) return from + 1;
    if (source.startsWith("->", from)) return from + 2;
    return endOfComment(source, from);
  }

  #startTag(nameStart: number): number {
    const reader = this.#reader;
    reader.read(nameStart);
    const { tag, hash, next, nameEnd } = reader;
    if (!reader.closed || !this.#accepts(tag)) {
      this.#table.attributes.dropTag();
      return reader.closed ? next : this.#source.length;
    }
    const open = this.#open;
    closeBefore(open, tag);
    const node = this.#table.add(tag, open.node, nameStart, nameEnd);
    if (VOID[tag] === 1 || (reader.selfClosing && open.foreign)) return next;
    if (RAW_TEXT[tag] === 1 && !open.foreign) return this.#rawText(node, tag, next);
    open.push(node, tag, hash);
    return DROPS_FIRST_NEWLINE[tag] === 1 ? this.#afterNewline(next) : next;
  }

  /**
   * A page has one html, one head and one body or frameset element. Later start tags of these are ignored.
   */
  #accepts(tag: number): boolean {
    if (this.#hasFrames === true) return FRAMESET_CONTENT[tag] === 1;
    if (PAGE_PART[tag] === 0) return true;
    const open = this.#open;
    if (tag === FRAMESET) {
      this.#hasFrames ??= canHoldFrames(this.#source, this.#table, open.tag);
      return true;
    }
    if (tag === BODY && open.tag === HEAD) open.closeFrom(open.depth);
    if (tag === HTML) return open.depth === 0;
    if (open.depth > 0 && open.tag !== HTML) return false;
    if (tag === BODY) return true;
    const isFirst = !this.#hasHead;
    this.#hasHead = true;
    return isFirst;
  }

  #rawText(node: number, tag: number, from: number): number {
    const limit = this.#open.has(NOSCRIPT) ? this.#noscriptEndAfter(from) : this.#source.length;
    const end = findRawTextEnd(this.#source, tag, { from, limit });
    const start = DROPS_FIRST_NEWLINE[tag] === 1 ? this.#afterNewline(from) : from;
    if (end > start) this.#table.add(TEXT, node, start, end);
    this.#table.end[node] = this.#table.size;
    return end < limit ? this.#skipEndTag(end + 2) : end;
  }

  /** Browsers read all of a noscript as text, so an unclosed element inside it ends with it. */
  #noscriptEndAfter(from: number): number {
    if (this.#noscriptEnd < from) {
      this.#noscriptEnd = findRawTextEnd(this.#source, NOSCRIPT, { from, limit: this.#source.length });
    }
    return this.#noscriptEnd;
  }

  #afterNewline(from: number): number {
    const at = this.#source.charCodeAt(from) === 13 ? from + 1 : from;
    return this.#source.charCodeAt(at) === 10 ? at + 1 : at;
  }

  #after(token: string, from: number): number {
    const at = this.#source.indexOf(token, from);
    return at < 0 ? this.#source.length : at + token.length;
  }
}

/** Elements that stay when a frameset replaces the body. */
const FRAMESET_CONTENT = tagSet("frame frameset noframes");

/** Elements around the head of a page. Their other content counts separately. */
const AROUND_HEAD = tagSet("#document html head");

/**
 * Whether a frameset that begins inside an element would replace the body of the page: the nodes in the table
 * so far are only the head and white space.
 */
function canHoldFrames(source: string, table: NodeTable, openTag: number): boolean {
  if (AROUND_HEAD[openTag] === 0) return false;
  for (let node = 1; node < table.size; node++) {
    const tag = table.tag[node] ?? TEXT;
    if (HEAD_CONTENT[tag] === 1) node = (table.end[node] ?? table.size) - 1;
    else if (tag !== TEXT && AROUND_HEAD[tag] === 0) return false;
    else if (tag === TEXT && !isBlankBetween(source, table.start[node] ?? 0, table.stop[node] ?? 0))
      return false;
  }
  return true;
}
