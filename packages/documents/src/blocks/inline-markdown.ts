import { escapeDestination, escapeText } from "@pergamon-dev/html/markdown/escape";
import { lowered, raised } from "@pergamon-dev/html/markdown/small-signs";
import type { TextRun } from "../layout/laid-out-page.ts";

/** Styles to write. Headings are already bold, and code has no styles. */
export interface InlineLooks {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospaced: boolean;
}

/** Writes runs as Markdown on one line. */
export function writeInline(runs: readonly TextRun[], looks: InlineLooks): string {
  const pieces = runs.map((run) => pieceOf(run, looks));
  const merged = mergeAlike(pieces);
  const texts = merged.map(({ text }) => text);
  return merged
    .map((piece, at) =>
      writePiece(piece, { before: texts[at - 1]?.slice(-1) ?? "", after: texts[at + 1]?.slice(0, 1) ?? "" }),
    )
    .join("")
    .trim();
}

interface Piece {
  readonly text: string;
  readonly mark: "" | "`" | "**" | "_" | "**_";
  readonly url: string | undefined;
}

function pieceOf(run: TextRun, looks: InlineLooks): Piece {
  const bold = run.isBold && looks.bold ? "**" : "";
  const mark = `${bold}${run.isItalic && looks.italic ? "_" : ""}` as const;
  const text = run.script ? writeScript(run.text, run.script) : run.text;
  return { text, mark: run.isMonospaced && looks.monospaced ? "`" : mark, url: run.url };
}

/** Numbers become superscript or subscript characters; other text stays as it is. */
function writeScript(text: string, script: "raised" | "lowered"): string {
  if (!/^ ?\d+(?:[,–-]\d+)*$/.test(text)) return text;
  return text.replace(/\d/g, (digit) => (script === "raised" ? raised : lowered)(digit) ?? digit).trimStart();
}

/** White space and punctuation between two pieces with the same style get that style. */
function mergeAlike(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const before = merged.at(-1);
    if (before && before.mark === piece.mark && before.url === piece.url)
      merged[merged.length - 1] = { ...before, text: before.text + piece.text };
    else merged.push(piece);
  }
  return merged;
}

interface Neighbours {
  readonly before: string;
  readonly after: string;
}

function writePiece({ text, mark, url }: Piece, neighbours: Neighbours): string {
  const core = text.trim();
  if (core === "") return text;
  const [lead = "", trail = ""] = text.split(core);
  const around = {
    before: lead === "" ? neighbours.before : " ",
    after: trail === "" ? neighbours.after : " ",
  };
  const marked = writeMarked(core, mark, around, url !== undefined);
  return lead + (url === undefined ? marked : `[${marked}](${escapeDestination(url)})`) + trail;
}

function writeMarked(text: string, mark: Piece["mark"], around: Neighbours, insideLink: boolean): string {
  const isMarked = mark !== "" && (insideLink || standsAlone(text, mark, around));
  if (mark === "`" && isMarked && !text.includes("`")) return `\`${text}\``;
  const escaped = escapeText(text, { ...around, insideLink, hasEmphasis: isMarked });
  if (!isMarked || mark === "`") return escaped;
  return `${mark}${escaped}${mark.split("").reverse().join("")}`;
}

/**
 * Inside words, parsers may not recognise marks. Punctuation alone needs none, and whole sentences are rarely
 * code.
 */
function standsAlone(text: string, mark: Piece["mark"], { before, after }: Neighbours): boolean {
  const isApart = /^[\s([{"'“‘«—–-]?$/u.test(before) && /^[\s)\]}"'”’».,;:!?—–-]?$/u.test(after);
  const isMarkable = mark === "`" ? /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/su : /[\p{L}\p{N}]/u;
  return isApart && isMarkable.test(text);
}
