import { citationsOf } from "@pergamon-dev/facts/answers/cite";
import { citeValues, type ValueCitation } from "@pergamon-dev/facts/citations/cite-values";
import type { FoundBy } from "@pergamon-dev/facts/extraction/candidate";
import { dataOf, extractFromData } from "@pergamon-dev/facts/extraction/extract-from-data";
import { extractJson, type JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import type { Extracted } from "@pergamon-dev/facts/extraction/extracted";
import { visitLeaves } from "@pergamon-dev/facts/extraction/found";
import type { FileParts } from "../../fetch/file-kinds/kind.ts";
import { hintedPage } from "./hinted-page.ts";

/** Values of an answer, which rules or a model have found. */
export interface CitedAnswer {
  readonly value: unknown;
  readonly foundBy: FoundBy;
  /** What rules look for, which may say where these values come from. */
  readonly asked?: JsonRequest;
}

export interface PageCitation extends ValueCitation {
  readonly url: string;
  readonly page?: number;
  readonly bbox?: readonly [number, number, number, number];
}

/** What rules find on a page. */
export function valuesIn(parts: FileParts, asked: JsonRequest, url: string): Extracted {
  const data = dataOf(parts.jsonText());
  return data
    ? extractFromData(data, asked, url)
    : extractJson(parts.ownEvidence(), asked, url, hintedPage(parts));
}

/** The places of values, by their paths. Selectors of a redacted page could show what was redacted. */
export function citationsIn(
  parts: FileParts,
  { value, foundBy, asked }: CitedAnswer,
  url: string,
): Readonly<Record<string, readonly PageCitation[]>> {
  const found = asked && valuesIn(parts, asked, url);
  const origins = new Map(found?.origins);
  const values = new Map<string, unknown>();
  visitLeaves(found?.value, (leaf, path) => values.set(path, leaf));
  visitLeaves(value, (leaf, path) => {
    if (values.get(path) !== leaf) origins.delete(path);
  });
  const page = {
    markdown: parts.markdown(),
    evidence: parts.ownEvidence().tree,
    tree: parts.isRedacted ? undefined : parts.tree(),
  };
  const cited = citeValues({ value, origins, foundBy }, page);
  return Object.fromEntries(
    Object.entries(cited).map(([path, citations]) => [
      path,
      citations.map((citation) => ({ url, ...citation, ...boxOf(citation, parts) })),
    ]),
  );
}

/** Sure of a text that the page has as it is, and less so of the nearest one by its words. */
const [SAME, LIKE] = [1, 0.7];

/** The parts of a page that an answer is from. */
export function textCitationsIn(
  parts: FileParts,
  { text, foundBy }: Pick<PageCitation, "text" | "foundBy">,
  url: string,
): readonly PageCitation[] {
  const markdown = parts.markdown();
  return citationsOf(text, markdown).map(({ start, end }) => {
    const said = markdown.slice(start, end);
    const confidence = text.includes(said) || said.includes(text) ? SAME : LIKE;
    const citation = { text: said, markdownSpan: [start, end] as const, foundBy, confidence };
    return { url, ...citation, ...boxOf(citation, parts) };
  });
}

/** The block of a PDF that a span begins in. */
function boxOf({ markdownSpan }: ValueCitation, parts: FileParts): Pick<PageCitation, "page" | "bbox"> {
  if (!markdownSpan) return {};
  const [start] = markdownSpan;
  for (const { pageNumber, items } of parts.layout()) {
    for (const { bbox, markdownSpan: span } of items)
      if (span && span[0] <= start && start < span[1]) return { page: pageNumber, ...(bbox && { bbox }) };
  }
  return {};
}
