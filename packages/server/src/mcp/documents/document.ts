import { z } from "zod";

import { blocksOf, linesOf } from "@pergamon-dev/facts/answers/markdown-blocks";
import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { limits } from "../../api/limits.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import type { Content } from "./content.ts";

/** About 40,000 characters. */
const PART_TOKENS = 10_000;

/** As `countTokens` estimates them. */
export const PartTokens = z
  .int()
  .min(100)
  .max(100_000)
  .default(PART_TOKENS)
  .describe("Of the content. Headings of the rest are listed.");
/** Limits of the list of headings: its length, characters of a title, and characters of a text that are searched. */
const MAX_SECTIONS = 40;
const MAX_TITLE = 100;
const MAX_OUTLINED = 1_000_000;

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

const HOURS = limits.keptMs.answers / 3_600_000;

/** The part of a document to show. */
interface Part {
  /** Number of characters before it. */
  readonly from: number;
  /** Default: `PART_TOKENS`. */
  readonly maxTokens?: number;
  /** False when the document cannot be fetched again by its id. */
  readonly isKept: boolean;
}

/** Formats a scrape for a model: the text, a link to the rest of a long text, then the facts. */
export function documentContent(data: ScrapeData, { from, maxTokens, isKept }: Part): readonly Content[] {
  const { text, end } = documentPart(data, from, maxTokens);
  const { scrapeId } = data.metadata;
  const facts = {
    ...Object.fromEntries(FACTS.map((name) => [name, data.metadata[name]])),
    warning: data.warning,
    ...(end < text.length && {
      shown: shownOf({ from, end, length: text.length }, isKept),
      ...(isKept && sectionsAfter(text, end)),
    }),
  };
  return [
    { type: "text", text: text.slice(from, end) },
    ...(end < text.length && isKept ? [linkTo(scrapeId, end)] : []),
    { type: "text", text: JSON.stringify(facts) },
  ];
}

interface DocumentPart {
  /** Of the whole document. */
  readonly text: string;
  /** End of the part. It never splits a surrogate pair. */
  readonly end: number;
}

export function documentPart(data: ScrapeData, from: number, maxTokens = PART_TOKENS): DocumentPart {
  const text = documentText(data);
  // A token is one to four characters.
  let [length, tooLong] = [maxTokens, maxTokens * 4 + 1];
  for (let tried = tooLong - 1; length < tooLong - 1; tried = Math.floor((length + tooLong) / 2)) {
    if (countTokens(text.slice(from, from + tried)) <= maxTokens) length = tried;
    else tooLong = tried;
  }
  const end = from + length;
  if (end >= text.length) return { text, end: text.length };
  return { text, end: /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end };
}

/** A single format is shown directly; several get headings. Values other than text become JSON. */
function documentText({ metadata: _facts, warning: _told, ...formats }: ScrapeData): string {
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

/** Headings after a position, each as its `from`, level and title. The deepest levels are left out of many. */
function sectionsAfter(text: string, end: number): { readonly sections?: readonly string[] } {
  const headings = blocksOf(linesOf(text.slice(0, MAX_OUTLINED))).flatMap(({ heading, lines }) => {
    const from = lines[0]?.start ?? 0;
    return heading && from >= end ? [{ ...heading, from }] : [];
  });
  const levels = [6, 5, 4, 3, 2, 1];
  const most =
    levels.find((level) => headings.filter((one) => one.level <= level).length <= MAX_SECTIONS) ?? 1;
  const listed = headings.filter(({ level }) => level <= most).slice(0, MAX_SECTIONS);
  const sections = listed.map(
    ({ level, title, from }) => `${from} ${"#".repeat(level)} ${title.slice(0, MAX_TITLE)}`,
  );
  return sections.length > 0 ? { sections } : {};
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
