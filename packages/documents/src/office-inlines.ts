import type { Inline as SourceInline, LinkTarget, Style } from "@firecrawl/anydoc";

import type { Inline } from "./model/document.ts";

/** The parser's name of a note → its number. */
export type NoteNumbers = ReadonlyMap<string, number>;

/** Schemes of addresses that lead somewhere from a reader's machine; others are left out. */
const FOLLOWED = /^(?:https?|mailto|tel|ftps?):/i;

/** What programs write for a picture without a description: its file's name, and what their models guess. */
const FILE_NAME = /^\S+\.(?:png|jpe?g|gif|bmp|tiff?|webp|svg|emf|wmf)$/i;
const GUESSED = /\s*(?:AI-generated content may be incorrect\.?|Description automatically generated.*)$/s;

/** Inline content that shows something. Empty when there is none. */
export function readInlines(source: readonly SourceInline[], numbers: NoteNumbers): readonly Inline[] {
  const content = joinLinks(source.flatMap((inline) => readInline(inline, numbers)));
  return content.some(isShown) ? content : [];
}

function readInline(inline: SourceInline, numbers: NoteNumbers): readonly Inline[] {
  const { text = "", style, content = [], target, alt = "", source, noteId = "" } = inline;
  switch (inline.kind as string) {
    case "text":
      return text === "" ? [] : [{ kind: "text", text, ...looksOf(style) }];
    case "link":
      return readLink(readInlines(content, numbers), target);
    case "image":
      return readImage(describing(alt), source?.url);
    case "noteRef":
      return numbers.has(noteId) ? [{ kind: "note", number: numbers.get(noteId) ?? 0 }] : [];
    case "lineBreak":
      return [{ kind: "break" }];
    default:
      return [];
  }
}

function looksOf(style: Style | undefined) {
  const { bold = false, italic = false, strike = false, code = false } = style ?? {};
  return { isBold: bold, isItalic: italic, isStruck: strike, isCode: code };
}

/** A link within the document leads nowhere once that is text: its words stay. */
function readLink(content: readonly Inline[], target: LinkTarget | undefined): readonly Inline[] {
  const url = target && isFollowed(target) ? target.value : "";
  if (url === "" || content.length === 0) return content;
  return [{ kind: "link", url, content }];
}

function isFollowed({ kind, value }: LinkTarget): boolean {
  const sort: string = kind;
  return sort === "relative" || (sort === "external" && FOLLOWED.test(value));
}

function readImage(alt: string, url: string | undefined): readonly Inline[] {
  const address = url !== undefined && FOLLOWED.test(url) ? url : undefined;
  return alt === "" && address === undefined ? [] : [{ kind: "image", alt, url: address }];
}

function describing(alt: string): string {
  const text = alt.replace(GUESSED, "").trim();
  return FILE_NAME.test(text) ? "" : text;
}

/** Files write a link again for each look of its words. */
function joinLinks(content: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const inline of content) {
    const last = joined.at(-1);
    const isSame = inline.kind === "link" && last?.kind === "link" && last.url === inline.url;
    if (isSame) joined[joined.length - 1] = { ...last, content: [...last.content, ...inline.content] };
    else joined.push(inline);
  }
  return joined;
}

function isShown(inline: Inline): boolean {
  return inline.kind === "text" ? inline.text.trim() !== "" : inline.kind !== "break";
}
