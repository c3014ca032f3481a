import type { MadeBlock, MadeDocument } from "./made-document.ts";

/** What has to come out, each for itself. */
interface Part {
  readonly kind: string;
  readonly texts: readonly string[];
}

export interface MadeScore {
  /** Share of the parts that came out as what they are, in their order. */
  readonly share: number;
  readonly missed: readonly string[];
}

interface ReadLine {
  readonly kind: "heading" | "row" | "code" | "item" | "text";
  readonly cells: readonly string[];
  readonly text: string;
}

/** A part is right where it stands whole, as what it is; a document, where its parts follow each other. */
export function scoreMade({ blocks }: MadeDocument, markdown: string): MadeScore {
  const byColumn = scoreParts(blocks.flatMap(partsOf), markdown);
  const byRow = scoreParts(blocks.map(withPairsByRow).flatMap(partsOf), markdown);
  return byColumn.share >= byRow.share ? byColumn : byRow;
}

/** Labels with values side by side may be read along their rows, too. */
function withPairsByRow(block: MadeBlock): MadeBlock {
  if (block.kind !== "beside") return block;
  const columns = block.columns.map(([first, ...more]) => (first?.kind === "pairs" && more.length === 0 ? first.pairs : []));
  if (columns.some(({ length }) => length === 0)) return block;
  return { kind: "pairs", pairs: (columns[0] ?? []).flatMap((_, at) => columns.flatMap((pairs) => pairs.slice(at, at + 1))) };
}

function scoreParts(parts: readonly Part[], markdown: string): MadeScore {
  const lines = linesOf(markdown);
  let last = 0;
  const places = parts.map((part) => {
    const isPart = (line: ReadLine, at: number): boolean => stands(part, line, lines, at);
    const next = lines.findIndex((line, at) => at >= last && isPart(line, at));
    const place = next < 0 ? lines.findIndex(isPart) : next;
    if (next >= 0) last = next;
    return place;
  });
  const inOrder = longestRise(places);
  const missed = parts.filter((_, at) => !inOrder.has(at));
  return {
    share: inOrder.size / Math.max(1, parts.length),
    missed: missed.map(({ kind, texts }) => `${kind}: ${texts.join(" | ")}`),
  };
}

function partsOf(block: MadeBlock): readonly Part[] {
  const each = (kind: string, all: readonly (readonly string[])[]): Part[] => all.map((texts) => ({ kind, texts }));
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return [{ kind: block.kind, texts: [block.text] }];
    case "items":
      return each("item", block.items.map((item) => [item]));
    case "lines":
      return each("line", block.lines.map((line) => [line]));
    case "table":
      return each("row", [block.head, ...block.rows]);
    case "pairs":
      return each("pair", block.pairs);
    case "entries":
      return each("entry", block.entries.map(({ text, page }) => [text, page]));
    case "code":
      return each("code", block.lines.map((line) => [line]));
    case "boxes":
      return each("box", block.boxes.map(({ label, isChecked }) => [isChecked ? "☒" : "☐", label]));
    case "flow":
      return block.blocks.flatMap(partsOf);
    case "beside":
      return block.columns.flat().flatMap(partsOf);
  }
}

function stands({ kind, texts }: Part, line: ReadLine, lines: readonly ReadLine[], at: number): boolean {
  const [first = "", second = ""] = texts.map(plain);
  switch (kind) {
    case "heading":
      return line.kind === "heading" && line.text === first;
    case "paragraph":
      return line.kind !== "row" && line.kind !== "heading" && line.text.includes(first);
    case "item":
      return line.kind === "item" && line.text.endsWith(first);
    // A line of its own, or one that a break or bullet parts from the others.
    case "line":
      return line.text === first || line.cells.includes(first);
    case "row":
      return line.kind === "row" && filled(line.cells).join("|") === filled(texts.map(plain)).join("|");
    case "code":
      return line.kind === "code" && line.text === texts[0]?.trim();
    case "box":
      return line.text.includes(plain(`${first} ${second}`));
    case "entry":
      return closed(line.text).includes(`${closed(first)}${closed(second)}`);
    default: {
      // A value may stand below its label, as a definition does.
      const both = `${line.text} ${lines[at + 1]?.text ?? ""}`;
      return closed(line.text).includes(closed(first)) && closed(both).includes(`${closed(first)}${closed(second)}`);
    }
  }
}

const filled = (cells: readonly string[]): readonly string[] => cells.filter((cell) => cell !== "");
const closed = (text: string): string => text.replaceAll(/[\s|.…:·]+/gu, "");

/** Scripts without blanks have none that count. */
function plain(text: string): string {
  const one = text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();
  return one.replaceAll(/(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}。、])\s|\s(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/gu, "").replaceAll(/(?<=\p{sc=Thai})\s+(?=\p{sc=Thai})/gu, "");
}

function linesOf(markdown: string): readonly ReadLine[] {
  let isCode = false;
  const rows = markdown.replaceAll(/<\/?(?:table|thead|tbody)>/gu, "").replaceAll(/\n?<tr>\s*/gu, "\n<tr>").replaceAll(/\s*\n(?=<t[dh])/gu, "");
  return rows.split(/\\?\n|<br ?\/?>/u).flatMap((line): ReadLine[] => {
    if (/^\s*```/u.test(line)) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [{ kind: "code", cells: [], text: line.trim() }];
    const text = plain(unmarked(line));
    if (text === "") return [];
    if (line.startsWith("<tr>")) return [{ kind: "row", cells: line.split(/<t[dh][^>]*>/u).slice(1).map((cell) => plain(unmarked(cell))), text }];
    if (/^\|.*\|$/u.test(line)) return /^[|\s:-]+$/u.test(line) ? [] : [{ kind: "row", cells: line.slice(1, -1).split(/(?<!\\)\|/u).map((cell) => plain(unmarked(cell))), text: plain(text.replaceAll("|", " ")) }];
    const start = /^\s*(#+|[-*+]|\d+\\?[.)])\s+/u.exec(line);
    if (start?.[1]?.startsWith("#")) return [{ kind: "heading", cells: [], text: plain(unmarked(line.slice(start[0].length))) }];
    if (start) return [{ kind: "item", cells: [plain(unmarked(line.slice(start[0].length)))], text }];
    return [{ kind: "text", cells: [], text }];
  });
}

function unmarked(text: string): string {
  return text
    .replaceAll(/<[^>]+>/gu, " ")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/(?<!\\)(?:\*\*?|__?|`)/gu, "")
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, "$1")
    .replaceAll(/\[x\]/gu, "☒")
    .replaceAll(/\[ \]/gu, "☐")
    .replaceAll(/[☑⊠]/gu, "☒")
    .replaceAll("□", "☐")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** The places of the longest run that does not fall; -1 is no place. */
function longestRise(places: readonly number[]): ReadonlySet<number> {
  const length = places.map(() => 0);
  const before = places.map(() => -1);
  let best = -1;
  for (const [at, place] of places.entries()) {
    if (place < 0) continue;
    length[at] = 1;
    for (let earlier = 0; earlier < at; earlier++) {
      const known = places[earlier] ?? -1;
      if (known < 0 || known > place || (length[earlier] ?? 0) < (length[at] ?? 0)) continue;
      length[at] = (length[earlier] ?? 0) + 1;
      before[at] = earlier;
    }
    if (best < 0 || (length[at] ?? 0) > (length[best] ?? 0)) best = at;
  }
  const run = new Set<number>();
  for (let at = best; at >= 0; at = before[at] ?? -1) run.add(at);
  return run;
}
