import type { DocumentBlock, PageBlocks } from "../model/blocks.ts";
import { plainText, writeBlock } from "./block-markdown.ts";
import type { LaidOutBlock, LaidOutPage } from "../layout/laid-out-page.ts";

export interface DocumentMarkdown {
  readonly markdown: string;
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[];
  /** Width and height are those of a rendered page, which are unknown here. */
  readonly blocks: readonly PageBlocks[];
}

/** Writes the text of pages, and tells where in it each block stands. */
export function writeMarkdown(
  pages: readonly LaidOutPage[],
  options: { readonly pageMarkers: boolean },
): DocumentMarkdown {
  const writer = new Writer(options.pageMarkers);
  const placed = pages.map((page) => page.blocks.map((block) => writer.add(block, page.number)));
  const { markdown } = writer;
  const spans = placed.map((page) => page.map(({ span }) => span));
  return {
    markdown,
    pages: pages.map(({ number }, at) => ({ pageNumber: number, markdown: cut(markdown, spans[at] ?? []) })),
    blocks: pages.map((page, at) => pageBlocks(page, spans[at] ?? [], markdown)),
  };
}

type Span = readonly [start: number, end: number] | undefined;

/** A block in the Markdown; the end moves when a hyphen is taken away again. */
interface Placed {
  span: Span;
}

class Writer {
  readonly #hasMarkers: boolean;
  #markdown = "";
  #last: { readonly block: LaidOutBlock; readonly placed: Placed; readonly page: number } | undefined;
  /** The page that the last marker, or the first block, was written for. */
  #page: number | undefined;
  /** By depth: the column at which the text of the last list item began. */
  #columns: readonly number[] = [];

  constructor(hasMarkers: boolean) {
    this.#hasMarkers = hasMarkers;
  }

  get markdown(): string {
    return this.#markdown;
  }

  add(block: LaidOutBlock, page: number): Placed {
    const placed: Placed = { span: undefined };
    if (!block.isShown) return placed;
    const indent = this.#indentOf(block, page);
    const isJoined = block.seam !== undefined && this.#last?.block.body.kind === block.body.kind;
    const text = writeBlock(isJoined ? block : { ...block, seam: undefined }, indent);
    if (text === "") return placed;
    if (isJoined) this.#join(block);
    else this.#part(block, page);
    placed.span = [this.#markdown.length, this.#markdown.length + text.length];
    this.#markdown += text;
    this.#last = { block, placed, page };
    return placed;
  }

  #indentOf({ body }: LaidOutBlock, page: number): number {
    if (body.kind !== "item") {
      this.#columns = [];
      return 0;
    }
    if (this.#last?.page !== page) this.#columns = [];
    const outer = this.#columns.slice(0, body.depth);
    const indent = outer.at(-1) ?? 0;
    this.#columns = [...outer, indent + body.marker.length + 1];
    return indent;
  }

  /** Goes on with the last block: a hyphen that broke a word goes, and so from that block's end. */
  #join({ seam, body }: LaidOutBlock): void {
    const span = this.#last?.placed.span;
    if (seam === "space") this.#markdown += " ";
    if (body.kind === "table" && !body.piece?.isMarkup) this.#markdown += "\n";
    if (seam !== "closed hyphen" || !span || !/[-\u00ad\u2010]$/.test(this.#markdown)) return;
    this.#markdown = this.#markdown.slice(0, -1);
    if (this.#last) this.#last.placed.span = [span[0], span[1] - 1];
  }

  #part(block: LaidOutBlock, page: number): void {
    const isNewPage = this.#page !== undefined && this.#page !== page;
    this.#page = page;
    if (this.#last === undefined) return;
    if (isNewPage && this.#hasMarkers) this.#markdown += `\n\n---\n\n<!-- page ${page} -->\n\n`;
    else this.#markdown += !isNewPage && this.#isNextItem(block) ? "\n" : "\n\n";
  }

  #isNextItem(block: LaidOutBlock): boolean {
    return block.body.kind === "item" && this.#last?.block.body.kind === "item";
  }
}

/** What the blocks of a page gave to the Markdown. */
function cut(markdown: string, spans: readonly Span[]): string {
  const written = spans.flatMap((span) => (span ? [span] : []));
  const [first, last] = [written[0], written.at(-1)];
  return first && last ? markdown.slice(first[0], last[1]) : "";
}

function pageBlocks(page: LaidOutPage, spans: readonly Span[], markdown: string): PageBlocks {
  const items = page.blocks.map((block, at) => documentBlock({ block, at, page, span: spans[at] }, markdown));
  const [width, height] = [pixelsOf(page.width), pixelsOf(page.height)];
  return { pageNumber: page.number, width, height, status: page.status, items };
}

/** As pages are rendered. @param points 0 for a page that could not be read. */
function pixelsOf(points: number): number | null {
  return points === 0 ? null : Math.round((points / POINTS_PER_INCH) * RENDERED_DPI);
}

const POINTS_PER_INCH = 72;
const RENDERED_DPI = 200;

interface BlockOnPage {
  readonly block: LaidOutBlock;
  readonly at: number;
  readonly page: LaidOutPage;
  readonly span: Span;
}

function documentBlock({ block, at, page, span }: BlockOnPage, markdown: string): DocumentBlock {
  const { layout, ocr } = block.confidence;
  return {
    id: `p${page.number}.b${at}`,
    type: block.type,
    label: block.label ?? null,
    bbox: sharesOf(block, page),
    content: span ? markdown.slice(span[0], span[1]) : plainText(block),
    markdownSpan: span ? [span[0], span[1]] : null,
    readingOrder: at,
    source: block.source,
    confidence: { layout: layout ?? null, ocr: ocr ?? null },
  };
}

/** The block's box as shares of the page; null when nothing of it is on the page. */
function sharesOf({ box }: LaidOutBlock, { width, height }: LaidOutPage): DocumentBlock["bbox"] {
  const [x0, x1] = [shareOf(box[0], width), shareOf(box[2], width)];
  const [y0, y1] = [shareOf(box[1], height), shareOf(box[3], height)];
  return x0 < x1 && y0 < y1 ? [x0, y0, x1, y1] : null;
}

function shareOf(value: number, whole: number): number {
  return whole > 0 ? Math.round(Math.min(1, Math.max(0, value / whole)) * 1e4) / 1e4 : 0;
}
