import { LRUCache } from "lru-cache";

import { detectFile } from "../content/file-kind.ts";
import type { Capture } from "./capture.ts";
import { Document } from "./document.ts";
import type { Pages } from "./pages.ts";
import type { Recipe } from "./plan.ts";
import { produceFormats, refuseUnreadable } from "./produce.ts";

/** Makes documents, and remembers those made lately from cached captures. */
export interface Documents {
  /**
   * @param source `key` names capture and recipe; undefined when the capture is not in the cache.
   * @throws ServiceError when the wanted formats cannot be made from such a file.
   */
  make(
    source: { readonly capture: Capture; readonly recipe: Recipe; readonly key: string | undefined },
    signal: AbortSignal,
  ): Promise<Document>;
}

/** Size of the captures whose documents are remembered. */
const REMEMBERED_BYTES = 32 * 1024 * 1024;

export function openDocuments(pages: Pages): Documents {
  const remembered = new LRUCache<string, Document>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ capture }) => capture.body.byteLength + 1,
  });
  return {
    async make({ capture, recipe, key }, signal) {
      const known = key === undefined ? undefined : remembered.get(key);
      if (known) return known;
      const made = await makeDocument(capture, recipe, pages, signal);
      if (key !== undefined) remembered.set(key, made);
      return made;
    },
  };
}

async function makeDocument(
  capture: Capture,
  { page: options, formats }: Recipe,
  pages: Pages,
  signal: AbortSignal,
): Promise<Document> {
  const file = await detectFile(capture.body, capture.contentType, capture.url);
  refuseUnreadable(file, options);
  const { page, timings } = pages.open({ capture, file, options }, signal);
  const produced = await produceFormats(page, formats);
  return new Document({ capture, file, produced, timings });
}
