import { limits } from "../../api/limits.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import type { Content } from "./content.ts";

/** Maximum characters of one part of a document: about 10,000 tokens. */
const PART_LENGTH = 40_000;

/** Facts of a scrape that help a model to continue. */
const FACTS = [
  "title",
  "url",
  "sourceFile",
  "statusCode",
  "error",
  "cachedAt",
  "creditsUsed",
  "scrapeId",
] as const;

const HOURS = limits.answerRetentionMs / 3_600_000;

/** The part of a document to show. */
interface Part {
  /** Number of characters before it. */
  readonly from: number;
  /** False when the document cannot be fetched again by its id. */
  readonly isKept: boolean;
}

/** Formats a scrape for a model: the text, a link to the rest of a long text, then the facts. */
export function documentContent(data: ScrapeData, { from, isKept }: Part): readonly Content[] {
  const text = documentText(data);
  const end = partEnd(text, from);
  const { scrapeId } = data.metadata;
  const facts = {
    ...Object.fromEntries(FACTS.map((name) => [name, data.metadata[name]])),
    warning: data.warning,
    ...(end < text.length && { shown: shownOf({ from, end, length: text.length }, isKept) }),
  };
  return [
    { type: "text", text: text.slice(from, end) },
    ...(end < text.length && isKept ? [linkTo(scrapeId, end)] : []),
    { type: "text", text: JSON.stringify(facts) },
  ];
}

/** A single format is shown directly; several get headings. Values other than text become JSON. */
export function documentText({ metadata: _facts, warning: _told, ...formats }: ScrapeData): string {
  const entries = Object.entries(formats);
  const [only] = entries;
  if (only && entries.length === 1) return textOf(only[1]);
  return entries.map(([name, value]) => `--- ${name} ---\n${textOf(value)}`).join("\n\n");
}

export function documentUri(scrapeId: string, from: number): string {
  return `pergamon://documents/${scrapeId}?from=${from}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 1);
}

/** Returns the end of the part that begins at `from`. It never splits a surrogate pair. */
export function partEnd(text: string, from: number): number {
  const end = from + PART_LENGTH;
  if (end >= text.length) return text.length;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

interface Shown {
  readonly from: number;
  readonly end: number;
  readonly length: number;
}

function shownOf({ from, end, length }: Shown, isKept: boolean): string {
  const next = isKept
    ? `For more, call read_document with this scrapeId and from: ${end}, within ${HOURS} hours.`
    : "This scrape is not stored. Use includeTags to get less content.";
  return `characters ${from} to ${end} of ${length}. ${next}`;
}

function linkTo(scrapeId: string, from: number): Content {
  return {
    type: "resource_link",
    uri: documentUri(scrapeId, from),
    name: "Rest of the document",
    description: `Content from character ${from}.`,
    mimeType: "text/plain",
  };
}
