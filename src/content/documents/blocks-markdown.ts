import type { DocumentPageBlocks } from "../../contract/document-blocks.ts";
import type { LaidOutPage } from "./pdf/laid-out-page.ts";

export interface DocumentMarkdown {
  readonly markdown: string;
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[];
  readonly blocks: readonly DocumentPageBlocks[];
}

/** A paragraph for each line. */
export function writeMarkdown(
  pages: readonly LaidOutPage[],
  { pageMarkers }: { readonly pageMarkers: boolean },
): DocumentMarkdown {
  let markdown = "";
  const written = pages.map((page) => {
    if (markdown !== "" && page.blocks.length > 0) {
      markdown += pageMarkers ? `\n\n---\n\n<!-- page ${page.number} -->\n\n` : "\n\n";
    }
    const items = page.blocks.map((block, index) => {
      if (index > 0) markdown += "\n\n";
      const start = markdown.length;
      markdown += block.text;
      const [x0, y0, x1, y1] = block.box;
      const share = (value: number, whole: number) =>
        Math.min(1, Math.max(0, Math.round((value / whole) * 1e4) / 1e4));
      return {
        id: `p${page.number}.b${index}`,
        type: "text" as const,
        label: null,
        bbox: [
          share(x0, page.width),
          share(y0, page.height),
          share(x1, page.width),
          share(y1, page.height),
        ] as const,
        content: block.text,
        markdownSpan: [start, markdown.length] as const,
        readingOrder: index,
        source: block.source,
        confidence: { layout: null, ocr: block.ocr },
      };
    });
    const blocks = { pageNumber: page.number, width: null, height: null, status: page.status, items };
    return {
      blocks,
      page: { pageNumber: page.number, markdown: page.blocks.map(({ text }) => text).join("\n\n") },
    };
  });
  return {
    markdown,
    pages: written.map(({ page }) => page),
    blocks: written.map(({ blocks }) => blocks as unknown as DocumentPageBlocks),
  };
}
