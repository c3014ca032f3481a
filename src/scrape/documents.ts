import { LRUCache } from "lru-cache";

import { type DetectedFile, detectFile } from "../content/file-kind.ts";
import type { ScrapeMetadata } from "../contract/scrape-data.ts";
import { lazy } from "../kit/lazy.ts";
import type { Capture } from "./capture.ts";
import type { Pages } from "./pages.ts";
import type { Recipe } from "./plan.ts";
import { type Produced, produceFormats, refuseUnreadable } from "./produce.ts";

/** What the wanted formats made of a capture: everything in an answer that is not of the single scrape. */
export interface Document extends Produced {
  readonly capture: Capture;
  readonly file: DetectedFile;
  /** Milliseconds that each stage took when the document was made. */
  readonly timings: ReadonlyMap<string, number>;
  /** The whole answer as JSON, in UTF-8. The fields are encoded once, however often the document is answered. */
  encode(metadata: ScrapeMetadata): Buffer;
}

/** Makes documents, and remembers those made lately from cached captures. */
export interface Documents {
  /**
   * @param key names capture and recipe; undefined when the capture is not in the cache.
   * @throws ServiceError when the wanted formats cannot be made from such a file.
   */
  make(
    source: { readonly capture: Capture; readonly recipe: Recipe; readonly key: string | undefined },
    signal: AbortSignal,
  ): Promise<Document>;
}

/** Encoded answers that are remembered, in bytes. */
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
  return { capture, file, timings, ...produced, encode: encoder(produced) };
}

const ANSWER_START = Buffer.from('{"success":true,"data":{');

function encoder({ fields }: Produced): Document["encode"] {
  const encodedFields = lazy(() => {
    const inner = JSON.stringify(fields).slice(1, -1);
    return Buffer.from(inner === "" ? "" : `${inner},`);
  });
  return (metadata) =>
    Buffer.concat([ANSWER_START, encodedFields(), Buffer.from(`"metadata":${JSON.stringify(metadata)}}}`)]);
}
