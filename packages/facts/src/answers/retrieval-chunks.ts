import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { splitMarkdown } from "./chunks.ts";

export interface RetrievalOptions {
  readonly maxTokens: number;
  /** Names the page in the ids. */
  readonly url: string;
}

/** Blocks of the pages of a document. */
type Layout = readonly {
  readonly pageNumber: number;
  readonly items: readonly {
    readonly bbox: readonly [number, number, number, number] | null;
    readonly markdownSpan: readonly [number, number] | null;
  }[];
}[];

interface Place {
  readonly page: number;
  readonly box: readonly [number, number, number, number] | null;
}

/** A part of a page for a search index. */
interface RetrievalChunk {
  /** Made from the URL, the headings and the first words: it stays when the rest changes. */
  readonly id: string;
  /** Differs when the text differs. */
  readonly hash: string;
  /** Unchanged from the Markdown. */
  readonly text: string;
  readonly tokens: number;
  readonly headings: readonly string[];
  readonly span: readonly [start: number, end: number];
  readonly isCut?: true;
  /** Where it is in a document with pages. */
  readonly places?: readonly Place[];
}

/** Sections below this share of the maximum share a chunk. */
const MIN_SHARE = 0.25;
const ID_LENGTH = 24;
const HASH_LENGTH = 16;
/** Letters of the opening that are part of the id. Digits are not, because they count and date. */
const OPENING_LETTERS = 48;
/** Characters that are searched for these letters. */
const OPENING_LENGTH = 160;

/** A text that could not have fewer chunks has larger ones, because each of them is an object of the answer. */
const MAX_CHUNKS = 5_000;

/** The chunks of a page, in order. Their spans cover the Markdown. */
export function retrievalChunks(
  markdown: string,
  { maxTokens, url }: RetrievalOptions,
  layout: Layout = [],
): readonly RetrievalChunk[] {
  const seen = new Map<string, number>();
  const most = Math.max(maxTokens, Math.ceil(countTokens(markdown) / MAX_CHUNKS));
  const limits = { maxTokens: most, minTokens: most * MIN_SHARE, preference: "words" } as const;
  const placesOf = placesIn(layout);
  return splitMarkdown(markdown, limits).map(({ start, end, tokens, headings, isCut }) => {
    const text = markdown.slice(start, end);
    const name = JSON.stringify([url, headings, openingOf(text)]);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const places = placesOf(start, end);
    return {
      id: sha256Hex(count === 0 ? name : `${name} ${count}`).slice(0, ID_LENGTH),
      hash: sha256Hex(text).slice(0, HASH_LENGTH),
      text,
      tokens,
      headings,
      span: [start, end] as const,
      ...(isCut && { isCut }),
      ...(places.length > 0 && { places }),
    };
  });
}

function openingOf(text: string): string {
  const opening = text.slice(0, OPENING_LENGTH).toLowerCase();
  const letters = opening.replace(/[^\p{L}]+/gu, "");
  return letters === "" ? opening.trim() : letters.slice(0, OPENING_LETTERS);
}

/**
 * Says where chunks are: one place per page, which encloses the blocks of the chunk. Chunks are asked for in the
 * order of the text, so that each block is looked at once.
 */
function placesIn(layout: Layout): (start: number, end: number) => readonly Place[] {
  const blocks = layout
    .flatMap(({ pageNumber: page, items }) =>
      items.flatMap(({ bbox: box, markdownSpan: span }) => (span ? [{ page, box, span }] : [])),
    )
    .toSorted((one, other) => one.span[0] - other.span[0]);
  let next = 0;
  let open: typeof blocks = [];
  return (start, end) => {
    open = open.filter(({ span }) => span[1] > start);
    for (let block = blocks[next]; block && block.span[0] < end; block = blocks[(next += 1)])
      if (block.span[1] > start) open.push(block);
    const pages = [...new Set(open.map(({ page }) => page))].toSorted((one, other) => one - other);
    return pages.map((page) => {
      const boxes = open.flatMap((block) => (block.page === page && block.box ? [block.box] : []));
      return { page, box: boxes.length === 0 ? null : enclosing(boxes) };
    });
  };
}

function enclosing(boxes: readonly (readonly [number, number, number, number])[]): Place["box"] {
  return boxes.reduce(([left, top, right, bottom], [x0, y0, x1, y1]) => [
    Math.min(left, x0),
    Math.min(top, y0),
    Math.max(right, x1),
    Math.max(bottom, y1),
  ]);
}
