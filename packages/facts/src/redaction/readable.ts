import { ownProperty } from "@pergamon-dev/kit/own-property";
import { matchAt } from "./match-at.ts";

/** Visible text of Markdown, with the source position of each character. */
export interface Readable {
  readonly text: string;
  /** Source index of each UTF-16 unit of the text. */
  readonly offsets: Int32Array;
  /** Source ranges of URLs: link destinations and plain URLs. */
  readonly addresses: readonly { readonly start: number; readonly end: number }[];
}

/** Placeholder for a URL, which is not part of the words. */
const ADDRESS_MARK = "\uFFFC";

/** Characters that may begin syntax; all others are copied. */
const SYNTAX = /[\\*_~`[\]<>]|https?:\/\//gi;

type Step = (source: string, index: number, writer: ReadableWriter) => number;

/** Handlers by syntax character. Each returns the index after what it consumed. */
const STEPS: Readonly<Record<string, Step>> = {
  "\\": escape,
  "*": emphasis,
  _: underscores,
  "~": emphasis,
  "`": code,
  "[": linkStart,
  "]": linkEnd,
  "<": angle,
  ">": quote,
  h: bareAddress,
};

/** Reads Markdown in linear time. */
export function readMarkdown(source: string): Readable {
  const writer = new ReadableWriter(source);
  const syntax = new RegExp(SYNTAX);
  for (let index = 0; index < source.length;) {
    syntax.lastIndex = index;
    const next = syntax.exec(source)?.index ?? source.length;
    if (next > index) writer.copy(index, next);
    const step = ownProperty(STEPS, source[next]?.toLowerCase() ?? "");
    index = step ? step(source, next, writer) : next;
  }
  return writer.finish();
}

class ReadableWriter {
  readonly #source: string;
  readonly #offsets: Int32Array;
  readonly #addresses: { start: number; end: number }[] = [];
  #parts: string[] = [];
  #length = 0;

  constructor(source: string) {
    this.#source = source;
    this.#offsets = new Int32Array(source.length);
  }

  /** Copies a range of the source. @returns its end. */
  copy(start: number, end: number): number {
    for (let index = start; index < end; index++) this.#offsets[this.#length++] = index;
    this.#parts.push(this.#source.slice(start, end));
    return end;
  }

  /** Records a URL and writes a placeholder. @returns its end. */
  address(start: number, end: number): number {
    this.#addresses.push({ start, end });
    return end;
  }

  mark(index: number): void {
    this.#offsets[this.#length++] = index;
    this.#parts.push(ADDRESS_MARK);
  }

  finish(): Readable {
    return {
      text: this.#parts.join(""),
      offsets: this.#offsets.subarray(0, this.#length),
      addresses: this.#addresses,
    };
  }
}

function escape(source: string, index: number, writer: ReadableWriter): number {
  const isEscape = /[!-/:-@[-`{-~]/.test(source[index + 1] ?? "");
  return isEscape ? writer.copy(index + 1, index + 2) : writer.copy(index, index + 1);
}

/** A single sign between digits or spaces is literal; all other runs are emphasis. */
function emphasis(source: string, index: number, writer: ReadableWriter): number {
  const end = endOfRun(source, index);
  const isSign = end - index === 1 && isEither(source, index, end, /[\d\s]/);
  return isSign ? writer.copy(index, end) : end;
}

/** Underscores within a word belong to it. */
function underscores(source: string, index: number, writer: ReadableWriter): number {
  const end = endOfRun(source, index);
  return isEither(source, index, end, /[\p{L}\p{N}]/u) ? writer.copy(index, end) : end;
}

/** True if the characters on both sides match. */
function isEither(source: string, start: number, end: number, kind: RegExp): boolean {
  return kind.test(source[start - 1] ?? "") && kind.test(source[end] ?? "");
}

function endOfRun(source: string, start: number): number {
  let end = start + 1;
  while (source[end] === source[start]) end++;
  return end;
}

/** Code contains no syntax. A run of backticks without a closing run of the same length is text. */
function code(source: string, index: number, writer: ReadableWriter): number {
  const start = endOfRun(source, index);
  const fence = source.slice(index, start);
  const isBlock = fence.length >= 3 && /(?:^|\n)[ \t>]*$/.test(source.slice(Math.max(0, index - 40), index));
  const end = isBlock ? endOfBlock(source, start, fence) : endOfSpan(source, start, fence);
  if (end < 0) return writer.copy(index, start);
  writer.copy(start, end);
  return Math.min(source.length, end + fence.length);
}

function endOfBlock(source: string, start: number, fence: string): number {
  const end = source.indexOf(`\n${fence}`, start);
  return end < 0 ? source.length : end + 1;
}

/** Maximum length of a code span, which bounds the search after unclosed backticks. */
const MAX_SPAN_LENGTH = 2000;

function endOfSpan(source: string, start: number, fence: string): number {
  const within = source.slice(start, start + MAX_SPAN_LENGTH);
  for (let at = within.indexOf(fence); at >= 0; at = within.indexOf(fence, at)) {
    const end = endOfRun(within, at);
    if (end - at === fence.length) return start + at;
    at = end;
  }
  return -1;
}

function linkStart(_source: string, index: number): number {
  return index + 1;
}

const DESTINATION = /\]\((?:<([^<>\n]*)>|((?:[^\s()]|\([^\s()]*\))*))/y;

/** The destination is a URL; a title after it is text. */
function linkEnd(source: string, index: number, writer: ReadableWriter): number {
  const found = matchAt(DESTINATION, source, index);
  if (!found) return index + 1;
  const start = index + (found[1] === undefined ? 2 : 3);
  const end =
    writer.address(start, start + (found[1] ?? found[2] ?? "").length) + (found[1] === undefined ? 0 : 1);
  if (source[end] === ")") return end + 1;
  writer.mark(index);
  return end;
}

const AUTOLINK = /<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>]{1,255})>/iy;
const TAG = /<\/?[a-z][a-z0-9-]*(?:\s[^<>\n]*)?\/?>/iy;

/** A mail address in angle brackets is text; other autolinks are URLs, and tags separate words. */
function angle(source: string, index: number, writer: ReadableWriter): number {
  const autolink = matchAt(AUTOLINK, source, index)?.[0];
  if (autolink !== undefined) {
    if (autolink.includes("@") && !autolink.includes("/"))
      return writer.copy(index + 1, index + autolink.length - 1) + 1;
    writer.address(index + 1, index + autolink.length - 1);
    writer.mark(index);
    return index + autolink.length;
  }
  const tag = matchAt(TAG, source, index)?.[0];
  if (tag === undefined) return writer.copy(index, index + 1);
  writer.address(index, index + tag.length);
  writer.mark(index);
  return index + tag.length;
}

/** A quotation sign at the start of a line is not text. */
function quote(source: string, index: number, writer: ReadableWriter): number {
  const isFirst = /(?:^|\n)[ \t>]{0,20}$/.test(source.slice(Math.max(0, index - 21), index));
  return isFirst ? index + 1 : writer.copy(index, index + 1);
}

const BARE_ADDRESS = /https?:\/\/[^\s<>()[\]|`"]+/iy;

function bareAddress(source: string, index: number, writer: ReadableWriter): number {
  const found = matchAt(BARE_ADDRESS, source, index)?.[0];
  if (found === undefined) return writer.copy(index, index + 1);
  const address = found.replace(/[.,;:!?*_~'’]+$/, "");
  writer.address(index, index + address.length);
  writer.mark(index);
  return index + address.length;
}
