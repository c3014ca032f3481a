import { answerQuestion } from "@pergamon-dev/facts/answers/answer-question";
import { type ChunkLimits, chunksOf } from "@pergamon-dev/facts/answers/chunks";
import { highlight } from "@pergamon-dev/facts/answers/highlight";
import { readingOf } from "@pergamon-dev/facts/answers/reading";
import { retrievalChunks, type RetrievalOptions } from "@pergamon-dev/facts/answers/retrieval-chunks";
import { summarise } from "@pergamon-dev/facts/answers/summarise";
import { collectAttributes, type WantedAttribute } from "@pergamon-dev/html/selection/attributes";
import { collectImages } from "@pergamon-dev/html/selection/images";
import { collectLinks } from "@pergamon-dev/html/selection/links";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { collectMedia } from "@pergamon-dev/html/selection/media";
import { idleSelectors } from "@pergamon-dev/html/selection/idle-selectors";
import { outlinePage } from "@pergamon-dev/html/selection/page-outline";
import { extractJson, type JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { judgePage } from "@pergamon-dev/facts/prompt-injection/prompt-injection";
import type { FileParts } from "../../fetch/file-kinds/kind.ts";
import { evidenceOfMarkdown } from "../../fetch/file-kinds/evidence-of.ts";
import {
  type CitedAnswer,
  citationsIn,
  type PageCitation,
  textCitationsIn,
  valuesIn,
} from "./page-values.ts";
import { findMenu, merchantOf } from "@pergamon-dev/facts/menu/find-menu";
import { findProduct } from "@pergamon-dev/facts/product/find-product";

/**
 * Computes one view of a page. Its arguments survive JSON, and its value is plain data, because both are sent
 * to another thread.
 */
type View = (parts: FileParts, ...args: never[]) => unknown;

export type Views = Readonly<Record<string, View>>;

/** One line per view. The table defines the data that formats can request from a page. */
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
    const { origins: _origins, ...found } = valuesIn(parts, asked, url);
    return found;
  },
  citations: (parts, cited: CitedAnswer, url: string) => citationsIn(parts, cited, url),
  textCitations: (parts, cited: Pick<PageCitation, "text" | "foundBy">, url: string) =>
    textCitationsIn(parts, cited, url),
  jsonOfText: (_parts, markdown: string, asked: JsonRequest, url: string) =>
    extractJson(evidenceOfMarkdown(markdown), asked, url).value,
  attributes: (parts, wanted: readonly WantedAttribute[]) => collectAttributes(parts.tree(), wanted),
  idleSelectors: (parts, selectors: readonly string[]) => idleSelectors(parts.tree(), selectors),
  summary: (parts) => summarise(parts.subject()),
  highlights: (parts, query: string) => highlight(parts.subject(), query),
  answer: (parts, question: string) => answerQuestion(parts.subject(), question),
  injection: (parts) => judgePage(parts.markdown()),
  chunks: (parts, limits: ChunkLimits, query: string) => chunksOf(parts.markdown(), limits, query),
  chunksOfText: (_parts, markdown: string, limits: ChunkLimits, query: string) =>
    chunksOf(markdown, limits, query),
  retrievalChunks: (parts, options: RetrievalOptions) =>
    retrievalChunks(parts.markdown(), options, parts.layout()),
  reading: (parts, maxTokens: number, query?: string) => readingOf(parts.markdown(), maxTokens, query),
  subjectChunks: (parts, limits: ChunkLimits, query: string) => chunksOf(parts.subject(), limits, query),
  subjectReading: (parts, maxTokens: number, query?: string) => readingOf(parts.subject(), maxTokens, query),
} satisfies Views;

/** A requested view, in a form that can be sent to another thread. */
export interface ViewRequest {
  readonly view: string;
  readonly args: readonly unknown[];
}
