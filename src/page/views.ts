import { answerQuestion } from "../facts/answers/answer-question.ts";
import { type ChunkLimits, chunksOf } from "../facts/answers/chunks.ts";
import { highlight } from "../facts/answers/highlight.ts";
import { readingOf } from "../facts/answers/reading.ts";
import { summarise } from "../facts/answers/summarise.ts";
import { collectAttributes, type WantedAttribute } from "../page-content/html/attributes.ts";
import { collectImages } from "../page-content/html/images.ts";
import { collectLinks } from "../page-content/html/links.ts";
import { selectAll } from "../page-content/html/selection.ts";
import { collectMedia } from "../page-content/html/media.ts";
import { idleSelectors } from "../page-content/html/idle-selectors.ts";
import { outlinePage } from "../page-content/html/page-outline.ts";
import { dataOf, extractFromData } from "../facts/extraction/extract-from-data.ts";
import { extractJson, type JsonRequest } from "../facts/extraction/extract-json.ts";
import { judgePage } from "../judgement/injection/prompt-injection.ts";
import type { FileParts } from "../file-kinds/kind.ts";
import { evidenceOfMarkdown } from "../file-kinds/evidence-of.ts";
import { findMenu, merchantOf } from "../facts/menu/find-menu.ts";
import { findProduct } from "../facts/product/find-product.ts";

/**
 * How one view of a page is computed. Its arguments and its value can be sent to another thread: they are plain data,
 * and the arguments survive JSON.
 */
export type View = (parts: FileParts, ...args: never[]) => unknown;

export type Views = Readonly<Record<string, View>>;

/** One line per view of a page. The table defines what formats can request from a page. */
export const views = {
  markdown: (parts) => parts.markdown(),
  subject: (parts) => parts.subject(),
  html: (parts) => parts.html(),
  rawHtml: (parts) => parts.rawHtml(),
  links: (parts) => collectLinks(parts.wanted(), parts.baseUrl()),
  linksOfPage: (parts) => collectLinks(selectAll(parts.tree()), parts.baseUrl()).length,
  images: (parts) => collectImages(parts.wanted(), parts.baseUrl()),
  media: (parts) => collectMedia(parts.tree(), parts.baseUrl()),
  outline: (parts) => outlinePage(parts.tree(), parts.baseUrl()),
  metadata: (parts) => parts.metadata(),
  redacted: (parts, text: string) => parts.redact(text),
  document: (parts) => parts.document(),
  product: (parts, url: string) => findProduct(parts.evidence(), url),
  menu: (parts, url: string) => findMenu(parts.evidence(), url),
  merchant: (parts) => merchantOf(parts.evidence()),
  json(parts, asked: JsonRequest, url: string) {
    const data = dataOf(parts.jsonText());
    return data ? extractFromData(data, asked, url) : extractJson(parts.ownEvidence(), asked, url);
  },
  jsonOfText: (_parts, markdown: string, asked: JsonRequest, url: string) =>
    extractJson(evidenceOfMarkdown(markdown), asked, url).value,
  attributes: (parts, wanted: readonly WantedAttribute[]) => collectAttributes(parts.tree(), wanted),
  idleSelectors: (parts, selectors: readonly string[]) => idleSelectors(parts.tree(), selectors),
  summary: (parts) => summarise(parts.subject()),
  highlights: (parts, query: string) => highlight(parts.subject(), query),
  answer: (parts, question: string) => answerQuestion(parts.subject(), question),
  injection: (parts) => judgePage(parts.markdown()),
  chunks: (parts, limits: ChunkLimits, query: string) => chunksOf(parts.markdown(), limits, query),
  reading: (parts, maxTokens: number, query?: string) => readingOf(parts.markdown(), maxTokens, query),
  subjectChunks: (parts, limits: ChunkLimits, query: string) => chunksOf(parts.subject(), limits, query),
  subjectReading: (parts, maxTokens: number, query?: string) => readingOf(parts.subject(), maxTokens, query),
} satisfies Views;

/** A requested view, in a form that can be sent to another thread. */
export interface ViewRequest {
  readonly view: string;
  readonly args: readonly unknown[];
}
