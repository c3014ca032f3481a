import { z } from "zod";

import { DocumentPageBlocks } from "./document-blocks.ts";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { Immutable } from "./immutable.ts";

const Url = z.string();
const ExpiringUrls = z.array(Url.describe("A URL that needs no key and ends after 24 hours."));

/** Values of one attribute on all elements that match a selector, in document order. */
export const AttributeValues = z.strictObject({
  selector: z.string(),
  attribute: z.string(),
  values: z.array(z.string()),
});
export type AttributeValues = Immutable<z.output<typeof AttributeValues>>;

/** What the actions of a scrape left behind (contract, section 2.4). */
export const ActionData = z
  .strictObject({
    screenshots: ExpiringUrls,
    scrapes: z.array(z.strictObject({ url: Url, html: z.string() })),
    javascriptReturns: z.array(
      z.strictObject({ type: z.string().describe("As typeof tells it."), value: z.unknown() }),
    ),
    pdfs: ExpiringUrls,
  })
  .describe("What the actions left behind, each kind in the order of its actions.");
export type ActionData = Immutable<z.output<typeof ActionData>>;

/** The Markdown of one page of a document (contract, section 2.6). */
const PageMarkdown = z.strictObject({
  pageNumber: z.int().min(1).describe("From 1, as the file counts its pages."),
  markdown: z.string(),
});

/** The part of the metadata that is known of a capture, whoever asks for it. */
export const captureFacts = {
  url: Url.describe("The final URL, after redirects."),
  statusCode: z.int().min(0).max(999).describe("Status of the page itself."),
  error: z.string().exactOptional().describe("Reason phrase of a page status outside 2xx."),
  contentType: z.string().exactOptional().describe("MIME type without parameters."),
  proxyUsed: z.enum(["basic", "stealth"]).describe("stealth is the public name of the enhanced tier."),
  numPages: z.int().min(0).exactOptional().describe("Pages of a document that were read."),
  totalPages: z.int().min(0).exactOptional().describe("Pages that the document has."),
  timezone: z.string().exactOptional().describe("IANA zone that the browser emulated."),
};
export type CaptureFacts = OfPageOrFile<z.output<z.ZodObject<typeof captureFacts>>, "url">;

/** The part of the metadata of a file that was sent: it has a name, and no URL. */
export const uploadFacts = { sourceFile: z.string().describe("Name of the file that was sent.") };

/** Pages have a URL, files that were sent have a name instead. */
type OfPageOrFile<Facts, Url extends keyof Facts> = Immutable<
  Omit<Facts, Url> & Partial<Pick<Facts, Url>> & Partial<z.output<z.ZodObject<typeof uploadFacts>>>
>;

/** The part of the metadata that is known of an answer, whoever asks for it. */
export const answerFacts = {
  answeredBy: z
    .array(z.string())
    .exactOptional()
    .describe("Who answered, for each format that a language model can answer: `summary: rules`."),
  warnings: z
    .array(z.string())
    .exactOptional()
    .describe("The sentences of `warning`, one by one. Absent when there are none."),
  partial: z
    .literal(true)
    .exactOptional()
    .describe("Something that was asked for is missing or cut; the warnings say what."),
};

/** The part of the metadata that is of the single scrape. */
export const scrapeFacts = {
  sourceURL: Url.describe(
    "The requested URL with a scheme, without user name and password, otherwise as it was sent.",
  ),
  scrapeId: z.uuidv7().describe("Id of this scrape."),
  creditsUsed: z.int().min(0),
  concurrencyLimited: z.boolean().describe("True when the scrape waited for its team's turn."),
  concurrencyQueueDurationMs: z.int().min(0).exactOptional().describe("How long it waited, if it did."),
  cacheState: z.enum(["hit", "miss"]).exactOptional().describe("Only when the cache was consulted."),
  cachedAt: z.iso.datetime().exactOptional().describe("On a hit: when the page was captured."),
};
export type ScrapeFacts = OfPageOrFile<z.output<z.ZodObject<typeof scrapeFacts>>, "sourceURL">;

/** What a page says about itself, under any name but those of the facts. */
const PageValue = z.union([z.string(), z.array(z.string())]);

/** `metadata` of a scrape (contract, section 2.3). */
const ScrapeMetadata = z
  .object({ ...captureFacts, ...answerFacts, ...scrapeFacts })
  .catchall(PageValue)
  .describe("What is known about this scrape, and what the page's head says about it.");
export type ScrapeMetadata = Immutable<z.output<typeof ScrapeMetadata>>;

const { url: _url, ...fileCaptureFacts } = captureFacts;
const { sourceURL: _sourceUrl, ...fileScrapeFacts } = scrapeFacts;

/** `metadata` of a file that was sent. */
const FileMetadata = z
  .object({ ...fileCaptureFacts, ...answerFacts, ...fileScrapeFacts, ...uploadFacts })
  .catchall(PageValue)
  .describe("What is known about this file, and what it says about itself.");

/** Fields of `data`, by name. */
export type AnswerFields = Readonly<Record<string, z.ZodType>>;

/**
 * The answer of a scrape. A field of a format is there only when it was asked for and could be had (contract, section
 * 2.2).
 */
export function scrapeAnswer<Fields extends AnswerFields>(fieldsOfFormats: Fields) {
  const data = dataOf(fieldsOfFormats).extend({ metadata: ScrapeMetadata });
  return z.strictObject({ success: z.literal(true), data });
}

/** The same of a file that was sent. */
export function fileAnswer<Fields extends AnswerFields>(fieldsOfFormats: Fields) {
  const data = dataOf(fieldsOfFormats).extend({ metadata: FileMetadata });
  return z.strictObject({ success: z.literal(true), data });
}

/** `data` without its metadata. */
function dataOf<Fields extends AnswerFields>(fieldsOfFormats: Fields) {
  return z
    .strictObject(fieldsOfFormats)
    .partial()
    .extend({
      actions: ActionData.exactOptional(),
      pages: z
        .array(PageMarkdown)
        .exactOptional()
        .describe("The Markdown of each page of a PDF, when the parser's pages was set."),
      blocks: z
        .array(DocumentPageBlocks)
        .exactOptional()
        .describe("The layout of each page of a PDF, when the parser's blocks was set."),
      tools: z
        .array(z.looseObject({ provider: z.string(), capability: z.string(), description: z.string() }))
        .exactOptional()
        .describe("With domainTools: provider tools that know about the page's domain."),
      warning: z.string().exactOptional().describe("Sentences, the newest first."),
    });
}

const codes = Object.keys(errorCodes) as ErrorCode[];

/** The answer of whatever failed, but for what came too often (contract, section 4). */
export const FailureAnswer = z.strictObject({
  success: z.literal(false),
  code: z.enum(codes).exactOptional().describe("Absent where the status says it all."),
  error: z.string(),
  chargeId: z.string().exactOptional().describe("Names the charge of a request of provider tools."),
  requiresAction: z.boolean().exactOptional().describe("true: the team has to act before it tries again."),
  details: z
    .union([z.array(z.looseObject({ code: z.string() })), z.looseObject({})])
    .exactOptional()
    .describe("Particulars: the issues of a request that does not fit, or the action that failed."),
});

/** The answer with status 429 (interface document, section 7). */
export const RateLimitAnswer = z.strictObject({ error: z.string() });
