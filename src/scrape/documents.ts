import { LRUCache } from "lru-cache";

import { detectFile } from "../content/file-kind.ts";
import type { Capture } from "./capture.ts";
import { Document } from "./document.ts";
import type { FileContent, Files } from "./files.ts";
import type { Format } from "./format.ts";
import * as formats from "./formats/all.ts";
import type { Pages } from "./pages.ts";
import type { Recipe } from "./plan.ts";
import { limits } from "../contract/limits.ts";
import { produceFormats, refuseUnreadable } from "./produce.ts";

/** Makes documents, and remembers those made lately from cached captures. */
export interface Documents {
  /**
   * @param source `key` names capture and recipe; undefined when the capture is not in the cache.
   * @throws ServiceError when the wanted formats cannot be made from such a file.
   */
  make(
    source: { readonly capture: Capture; readonly recipe: Recipe; readonly key: string | undefined },
    context: DocumentContext,
  ): Promise<Document>;
}

/** For whom and how long a document is made. */
export interface DocumentContext {
  /** What links to this service begin with, such as `https://scrape.test`. */
  readonly linkBase: string;
  readonly signal: AbortSignal;
}

/** Size of the captures whose documents are remembered. */
const REMEMBERED_BYTES = 32 * 1024 * 1024;

export function openDocuments({ pages, files }: Makers): Documents {
  const remembered = new LRUCache<string, Document>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ capture }) => capture.body.byteLength + 1,
  });
  return {
    async make({ capture, recipe, key }, context) {
      const isKept = key !== undefined && !hasLinks(recipe);
      const known = isKept ? remembered.get(key) : undefined;
      if (known) return known;
      const made = await makeDocument(capture, recipe, { pages, files }, context);
      if (isKept) remembered.set(key, made);
      return made;
    },
  };
}

interface Makers {
  readonly pages: Pages;
  readonly files: Files;
}

function hasLinks(recipe: Recipe): boolean {
  return recipe.formats.some(({ name }) => (formats[name] as Format).makesLinks);
}

async function makeDocument(
  capture: Capture,
  { page: options, formats: wanted }: Recipe,
  { pages, files }: Makers,
  { linkBase, signal }: DocumentContext,
): Promise<Document> {
  const file = await detectFile(capture.body, capture.contentType, capture.url);
  refuseUnreadable(file, options);
  const { page, timings } = pages.open({ capture, file, options }, signal);
  const link = async (content: FileContent) => linkBase + (await files.link(content, limits.fileLifeMs));
  const produced = await produceFormats(page, wanted, link);
  return new Document({ capture, file, produced, timings });
}
