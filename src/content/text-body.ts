import type { FileKind } from "./file-kind.ts";

/** Kinds of bodies that are text but no page. */
const TEXT_KINDS = ["json", "xml", "code", "markdown", "text"] as const satisfies readonly FileKind[];

export type TextKind = (typeof TEXT_KINDS)[number];

export function isTextKind(kind: FileKind): kind is TextKind {
  return (TEXT_KINDS as readonly FileKind[]).includes(kind);
}

/** Markdown of a body that is text but no page: verbatim, or as a code block (contract, section 3.16e). */
export function textAsMarkdown(text: string, kind: TextKind, mimeType: string): string {
  if (kind === "text" || kind === "markdown") return text;
  const fence = "`".repeat(Math.max(3, longestBacktickRun(text) + 1));
  return `${fence}${language(kind, mimeType)}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function language(kind: TextKind, mimeType: string): string {
  if (kind !== "code") return kind;
  return mimeType === "text/css" ? "css" : "javascript";
}

function longestBacktickRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
