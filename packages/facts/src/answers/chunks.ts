import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { blocksOf, type BlockKind, innerLines, linesOf, type MarkdownBlock } from "./markdown-blocks.ts";
import { rankUnits } from "./rank.ts";
import { sentencesOf } from "./sentences.ts";

interface SplitLimits {
  readonly maxTokens: number;
  /** Sections with fewer tokens share a chunk with their neighbours. */
  readonly minTokens: number;
  /**
   * Where a section that is too long is split, if several places are as good: at the last one, so that chunks
   * are full, or at one that its words choose, so that an insertion moves only the chunks near it.
   */
  readonly preference: "last" | "words";
}

/** A part of a Markdown text. Together the chunks of a text cover it. */
interface MarkdownChunk {
  /** In UTF-16 units. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly tokens: number;
  /** The headings that hold for all of it, outermost first. */
  readonly headings: readonly string[];
  /** True when it holds a part of a block that exceeds the maximum alone. */
  readonly isCut: boolean;
}

/** A block, or a piece of a block that exceeds the maximum. */
interface Atom extends MarkdownChunk {
  readonly kind: BlockKind;
  readonly level: number | undefined;
}

/** Longer headings are cut, because each chunk repeats them. */
const MAX_HEADING_LENGTH = 200;
/** Deeper lists and quotes are text. */
const MAX_DEPTH = 20;

/**
 * Splits Markdown at its headings: a section with all below it is one chunk if it fits. Otherwise its parts
 * are, and its own text is split between blocks. Only a block that exceeds the maximum alone is cut: a list
 * item or quote between its blocks, a table or code between lines, text between sentences.
 */
export function splitMarkdown(markdown: string, limits: SplitLimits): readonly MarkdownChunk[] {
  const atoms = atomsIn(markdown, limits.maxTokens);
  if (atoms.length === 0) return [];
  return sectionsOf(atoms, limits, markdown).map((group) => chunkOf(group, markdown));
}

function chunkOf(atoms: readonly Atom[], markdown: string): MarkdownChunk {
  const { start = 0, headings: first = [] } = atoms[0] ?? {};
  const end = atoms.at(-1)?.end ?? start;
  const shared = first.findIndex((title, depth) => atoms.some(({ headings }) => headings[depth] !== title));
  return {
    start,
    end,
    tokens: countTokens(markdown.slice(start, end)),
    headings: shared < 0 ? first : first.slice(0, shared),
    isCut: atoms.some(({ isCut }) => isCut),
  };
}

function atomsIn(markdown: string, maxTokens: number): readonly Atom[] {
  const atoms: Atom[] = [];
  let headings: readonly { readonly level: number; readonly title: string }[] = [];
  /** Tokens of the headings right before a block, which are to be in a chunk with its beginning. */
  let lead = 0;
  for (const block of blocksOf(linesOf(markdown))) {
    const { heading, kind } = block;
    if (heading) {
      const title = heading.title.slice(0, MAX_HEADING_LENGTH);
      headings = [...headings.filter(({ level }) => level < heading.level), { ...heading, title }];
    }
    const path = headings.map(({ title }) => title);
    const room = kind === "text" && lead < maxTokens / 2 ? maxTokens - lead : maxTokens;
    const own = piecesOf(block, markdown, room).map((piece, index) => ({
      ...piece,
      headings: path,
      level: index === 0 ? heading?.level : undefined,
    }));
    for (const atom of own) atoms.push(atom);
    lead = heading ? lead + sizeOf(own) : 0;
  }
  return atoms;
}

type Piece = Pick<Atom, "start" | "end" | "tokens" | "kind" | "isCut">;

function piecesOf(block: MarkdownBlock, markdown: string, maxTokens: number, depth = 0): readonly Piece[] {
  const { kind, lines } = block;
  const whole = pieceAt(markdown, lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0);
  if (whole.tokens <= maxTokens) return [{ ...whole, kind, isCut: depth > 0 }];
  const inner = depth < MAX_DEPTH ? innerLines(block) : undefined;
  if (inner) return blocksOf(inner).flatMap((one) => piecesOf(one, markdown, maxTokens, depth + 1));
  const cuts = lines.flatMap(({ start, end }) => cutsIn(markdown, { start, end }, maxTokens));
  return cuts.map((start, index) => {
    return { ...pieceAt(markdown, start, cuts[index + 1] ?? lines.at(-1)?.end ?? start), kind, isCut: true };
  });
}

/** Starts of the pieces of a line. */
function cutsIn(
  markdown: string,
  { start, end }: Pick<Piece, "start" | "end">,
  maxTokens: number,
): readonly number[] {
  const line = markdown.slice(start, end);
  if (countTokens(line) <= maxTokens) return [start];
  const sentences = sentencesOf(line).map((span, index) => (index === 0 ? 0 : span.start));
  return sentences.flatMap((from, index) => {
    const sentence = line.slice(from, sentences[index + 1] ?? line.length);
    // A token has one character at least.
    const length = countTokens(sentence) <= maxTokens ? sentence.length : maxTokens;
    return Array.from({ length: Math.ceil(sentence.length / length) }, (_, part) => {
      const at = start + from + part * length;
      return /[\uDC00-\uDFFF]/.test(markdown.charAt(at)) ? at - 1 : at;
    });
  });
}

function pieceAt(markdown: string, start: number, end: number): Pick<Piece, "start" | "end" | "tokens"> {
  return { start, end, tokens: countTokens(markdown.slice(start, end)) };
}

function sectionsOf(
  atoms: readonly Atom[],
  limits: SplitLimits,
  markdown: string,
): readonly (readonly Atom[])[] {
  if (sizeOf(atoms) <= limits.maxTokens) return [atoms];
  const body = atoms.findIndex(({ level }) => level === undefined);
  const highest = atoms.reduce(
    (found, { level }, index) =>
      body >= 0 && index > body && level !== undefined ? Math.min(found, level) : found,
    Infinity,
  );
  if (highest === Infinity) return filled(atoms, limits, markdown);
  const starts = atoms.flatMap(({ level }, index) => (index > body && level === highest ? [index] : []));
  const sections = [0, ...starts].map((start, index) => atoms.slice(start, starts[index]));
  return joined(
    sections.flatMap((section) => sectionsOf(section, limits, markdown)),
    limits,
  );
}

/** Joins neighbours of which one is small. */
function joined(groups: readonly (readonly Atom[])[], limits: SplitLimits): readonly (readonly Atom[])[] {
  const result: (readonly Atom[])[] = [];
  let before = 0;
  for (const group of groups) {
    const size = sizeOf(group);
    const last = result.at(-1);
    if (last && Math.min(before, size) < limits.minTokens && before + size <= limits.maxTokens) {
      result[result.length - 1] = [...last, ...group];
      before += size;
    } else {
      result.push(group);
      before = size;
    }
  }
  return result;
}

/** Splits the text of a section between its blocks. */
function filled(atoms: readonly Atom[], limits: SplitLimits, markdown: string): readonly (readonly Atom[])[] {
  const groups: (readonly Atom[])[] = [];
  for (let from = 0; from < atoms.length;) {
    const to = breakAfter(atoms, from, limits, markdown);
    groups.push(atoms.slice(from, to));
    from = to;
  }
  return groups;
}

/** Index of the first atom of the next chunk. */
function breakAfter(
  atoms: readonly Atom[],
  from: number,
  { maxTokens, preference }: SplitLimits,
  markdown: string,
): number {
  let [size, found, foundPlace] = [0, from + 1, ""];
  for (let to = from; to < atoms.length; to += 1) {
    const atom = atoms[to];
    if (!atom || size + atom.tokens > maxTokens) return found;
    size += atom.tokens;
    const next = atoms[to + 1];
    if (!next) return to + 1;
    const opening = markdown.slice(next.start, Math.min(next.end, next.start + OPENING_LENGTH));
    const words = preference === "words" ? sha256Hex(opening) : "";
    const place = `${size < maxTokens / 2 ? 1 : 0}${harmBetween(atom, next, markdown)}${words}`;
    const isBetter =
      foundPlace === "" || place < foundPlace || (preference === "last" && place === foundPlace);
    if (isBetter) [found, foundPlace] = [to + 1, place];
  }
  return found;
}

const OPENING_LENGTH = 64;

/** How much a chunk loses that ends there, from 0 to 3. */
function harmBetween(before: Atom, next: Atom, markdown: string): number {
  if (before.kind === "heading") return 3;
  if (/:\s*$/.test(markdown.slice(Math.max(before.start, before.end - OPENING_LENGTH), before.end))) return 2;
  return next.kind === "item" && before.kind === "item" ? 1 : 0;
}

function sizeOf(atoms: readonly Pick<Atom, "tokens">[]): number {
  return atoms.reduce((sum, { tokens }) => sum + tokens, 0);
}

export interface Chunks {
  readonly chunks: readonly string[];
  /** Token count of the whole text. */
  readonly tokens: number;
  /** False if some text is in no chunk. */
  readonly isWhole: boolean;
}

/** Minimum fill of a chunk before a heading may begin the next one. */
const FULL_ENOUGH = 0.6;

export interface ChunkLimits {
  readonly maxTokens: number;
  readonly most: number;
}

/**
 * Splits a text into chunks that each fit into one question to a model. If there are more than `most`, keeps the
 * first chunk and those that fit the query best, in text order.
 */
export function chunksOf(markdown: string, { maxTokens, most }: ChunkLimits, query: string): Chunks {
  const tokens = countTokens(markdown);
  if (markdown.trim() === "") return { chunks: [], tokens, isWhole: true };
  const limits = { maxTokens, minTokens: maxTokens * FULL_ENOUGH, preference: "last" } as const;
  const all = splitMarkdown(markdown, limits).map(({ start, end }) => markdown.slice(start, end));
  return { chunks: all.length > most ? best(all, most, query) : all, tokens, isWhole: all.length <= most };
}

/** Keeps the first chunk, which introduces the text, and those that share most with the query. */
function best(chunks: readonly string[], most: number, query: string): readonly string[] {
  const units = chunks.map((text, block) => {
    return { text, block, line: block, kind: "text" as const, headings: [], start: 0, end: text.length };
  });
  const ranked = rankUnits(units, query).units.map(({ position }) => position);
  const chosen = new Set([0, ...ranked.filter((position) => position > 0)].slice(0, most));
  return chunks.filter((_, position) => chosen.has(position));
}
