import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { deserialize } from "node:v8";

import type { BlockType } from "../../packages/documents/src/model/blocks.ts";
import { draftPage } from "../../packages/documents/src/layout/draft.ts";
import type { OutlineEntry, PdfPage } from "../../packages/documents/src/layout/page/page.ts";
import { type PageParts, partsOf } from "../../packages/documents/src/layout/page-parts.ts";
import type { Paragraph } from "../../packages/documents/src/layout/paragraphs.ts";
import { partFeatures } from "../../packages/documents/src/layout/part-features.ts";
import { type LearnedType, learnedTypes } from "../../packages/documents/src/layout/numbers/part-model.ts";
import { contextsOf } from "../../packages/documents/src/layout/part-types.ts";
import { usualLook } from "../../packages/documents/src/layout/text-line.ts";

/** One paragraph: which file it is from, what it is, and its numbers. */
interface Row {
  readonly file: string;
  readonly label: LearnedType;
  readonly features: readonly number[];
}

interface ManifestItem {
  readonly id: string;
  readonly group: string;
  readonly sub?: string;
  readonly gt?: string;
  readonly blocks?: string;
  readonly furniture?: readonly string[];
}

interface LabelledBlock {
  readonly page: number;
  readonly type: BlockType;
  /** Shares of the page. */
  readonly bbox: readonly [number, number, number, number];
}

interface SerializedFile {
  readonly pages?: readonly (PdfPage | { readonly failed: true })[];
  readonly outline?: readonly OutlineEntry[];
}

/** Writes the numbers and labels of the paragraphs of labelled files. `--pages`: one serialised file per document. */
function main(): void {
  const options = { data: { type: "string" }, pages: { type: "string" }, out: { type: "string" } } as const;
  const { data = "", pages = "", out = "" } = parseArgs({ options }).values;
  const manifest = JSON.parse(readFileSync(join(data, "manifest.json"), "utf8")) as readonly ManifestItem[];
  const known = new Set(readdirSync(pages));
  const items = manifest.filter(({ group, id }) => group === "layout" && known.has(`${id}.bin`));
  const rows = items.flatMap((item) => rowsOf(item, { data, pages }));
  writeFileSync(out, JSON.stringify({ types: learnedTypes, rows }));
  process.stdout.write(`${rows.length} paragraphs of ${items.length} files\n`);
}

function rowsOf(item: ManifestItem, folders: { readonly data: string; readonly pages: string }): Row[] {
  const file = deserialize(readFileSync(join(folders.pages, `${item.id}.bin`))) as SerializedFile;
  const drafts = (file.pages ?? []).flatMap((page) => ("failed" in page ? [] : [draftPage(page)]));
  const usual = usualLook(drafts);
  const pages = drafts.map((draft) => partsOf(draft, usual));
  const contexts = contextsOf(pages, { usual, outline: file.outline ?? [] });
  const labelOf = labeller(item, folders.data);
  return pages.flatMap((page) =>
    page.parts.flatMap((part): Row[] => {
      const context = contexts.get(part);
      const label = part.kind === "text" && context ? labelOf(part, page) : undefined;
      if (part.kind !== "text" || !context || !label) return [];
      return [{ file: item.id, label, features: partFeatures(part, context) }];
    }),
  );
}

type Labeller = (part: Paragraph, page: PageParts) => LearnedType | undefined;

function labeller(item: ManifestItem, data: string): Labeller {
  if (item.blocks)
    return byBlocks(JSON.parse(readFileSync(join(data, item.blocks), "utf8")) as readonly LabelledBlock[]);
  return byText(readFileSync(join(data, item.gt ?? ""), "utf8"), item.furniture ?? []);
}

/** The type of the labelled block that covers most of a paragraph. */
function byBlocks(blocks: readonly LabelledBlock[]): Labeller {
  return (part, page) => {
    const shares = blocks
      .filter((block) => block.page === page.number)
      .map((block) => ({ block, share: covered(part, page, block) }));
    const best = shares.reduce((most, one) => (one.share > most.share ? one : most), {
      block: undefined as LabelledBlock | undefined,
      share: 0.5,
    });
    const type = best.block?.type === "title" ? "section_header" : best.block?.type;
    return learnedTypes.find((learned) => learned === type);
  };
}

function covered(part: Paragraph, page: PageParts, { bbox }: LabelledBlock): number {
  const [x0, x1] = [Math.max(part.x0, bbox[0] * page.width), Math.min(part.x1, bbox[2] * page.width)];
  const [y0, y1] = [Math.max(part.y0, bbox[1] * page.height), Math.min(part.y1, bbox[3] * page.height)];
  return (
    (Math.max(0, x1 - x0) * Math.max(0, y1 - y0)) / Math.max(1, (part.x1 - part.x0) * (part.y1 - part.y0))
  );
}

/** Headings and furniture by their words; all else is text. */
function byText(markdown: string, furniture: readonly string[]): Labeller {
  const lines = markdown.replace(/^```[\s\S]*?^```/gm, "").split("\n");
  const headings = new Set(
    lines.filter((line) => /^#{1,6}\s/.test(line)).map((line) => wordsOf(line.replace(/\]\([^)]*\)/g, "]"))),
  );
  const running = new Set(furniture.map(wordsOf));
  return (part, page) => {
    const words = wordsOf(part.text);
    const isAtEdge = part.y1 < 0.12 * page.height || part.y0 > 0.88 * page.height;
    if (isAtEdge && /^\W*\d+\W*$/.test(part.text)) return "page_number";
    if (isAtEdge && running.has(words)) return part.y1 < 0.5 * page.height ? "page_header" : "page_footer";
    return headings.has(words) || headings.has(wordsOf(withoutNumber(part.text))) ? "section_header" : "text";
  };
}

/** Headings are numbered when they are set. */
function withoutNumber(text: string): string {
  return text.replace(/^(?:chapter|kapitel)?\s*[\d.]+\s+/i, "");
}

function wordsOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

main();
