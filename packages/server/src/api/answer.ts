import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { DocumentPageBlocks } from "./document-blocks.ts";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { Immutable } from "./immutable.ts";

const Url = z.string();
const ExpiringUrls = z.array(Url.describe("A URL that needs no API key and expires after 24 hours."));

/** Values of one attribute on all elements that match a selector, in document order. */
export const AttributeValues = z.strictObject({
  selector: z.string(),
  attribute: z.string(),
  values: z.array(z.string()),
});
export type AttributeValues = Immutable<z.output<typeof AttributeValues>>;

/** Results of the actions of a scrape (contract, section 2.4). */
export const ActionData = z
  .strictObject({
    screenshots: ExpiringUrls,
    scrapes: z.array(z.strictObject({ url: Url, html: z.string() })),
    javascriptReturns: z.array(
      z.strictObject({
        type: z.string().describe("The JavaScript type of the value, as `typeof` reports it."),
        value: z.unknown(),
      }),
    ),
    pdfs: ExpiringUrls,
  })
  .describe("Results of the actions, grouped by type, in the order of the actions.");
export type ActionData = Immutable<z.output<typeof ActionData>>;

/** The Markdown of one page of a document (contract, section 2.6). */
const PageMarkdown = z.strictObject({
  pageNumber: z.int().min(1).describe("Page number in the file, from 1."),
  markdown: z.string(),
});

/** Metadata that depends only on the capture. */
export const captureFacts = {
  url: Url.describe("The final URL, after redirects."),
  statusCode: z.int().min(0).max(999).describe("HTTP status of the page."),
  error: z
    .string()
    .exactOptional()
    .describe("Reason phrase, when the status of the page is outside 2xx, or why this is not the page."),
  blocked: z
    .strictObject({
      kind: z.enum(["challenge", "captcha", "denied", "consent", "maintenance", "empty"]),
      system: z.string().exactOptional().describe("Software that blocks, such as `anubis`."),
    })
    .exactOptional()
    .describe("Present when the site did not answer with the page. Such an answer is stored nowhere."),
  contentType: z.string().exactOptional().describe("MIME type without parameters."),
  proxyUsed: z
    .enum(["basic", "stealth"])
    .describe("The proxy tier that was used. `stealth` means the enhanced tier."),
  numPages: z.int().min(0).exactOptional().describe("Number of pages of the document that were parsed."),
  totalPages: z.int().min(0).exactOptional().describe("Number of pages in the document."),
  timezone: z.string().exactOptional().describe("IANA time zone that the browser emulated."),
};
export type CaptureFacts = OfPageOrFile<z.output<z.ZodObject<typeof captureFacts>>, "url">;

/** Metadata of an uploaded file, which has a name and no URL. */
export const uploadFacts = { sourceFile: z.string().describe("Name of the uploaded file.") };

/** Pages have a URL; uploaded files have a name instead. */
type OfPageOrFile<Facts, Url extends keyof Facts> = Immutable<
  Omit<Facts, Url> & Partial<Pick<Facts, Url>> & Partial<z.output<z.ZodObject<typeof uploadFacts>>>
>;

/** Metadata that depends only on the response. */
export const answerFacts = {
  answeredBy: z
    .array(z.string())
    .exactOptional()
    .describe("How each format that can use a language model was answered, such as `summary: rules`."),
  warnings: z
    .array(z.string())
    .exactOptional()
    .describe("The warnings in `warning`, as a list. Absent when there are none."),
  partial: z
    .literal(true)
    .exactOptional()
    .describe("Part of the requested data is missing or truncated. The warnings say which."),
};

/** Metadata of the single scrape. */
export const scrapeFacts = {
  sourceURL: Url.describe("The requested URL, with a scheme and without user name and password."),
  scrapeId: z.uuidv7().describe("Id of this scrape."),
  creditsUsed: z.int().min(0),
  concurrencyLimited: z.boolean().describe("True when the scrape waited for a free slot of its team."),
  concurrencyQueueDurationMs: z
    .int()
    .min(0)
    .exactOptional()
    .describe("Milliseconds that the scrape waited for a slot."),
  cacheState: z.enum(["hit", "miss"]).exactOptional().describe("Present only when the cache was consulted."),
  revalidated: z
    .literal(true)
    .exactOptional()
    .describe("The page was asked for and is the stored one, by its site's word or by its bytes."),
  cachedAt: z.iso
    .datetime()
    .exactOptional()
    .describe(
      "On a cache hit: when the page was captured. It may be older than maxAge where it was found unchanged since.",
    ),
};
export type ScrapeFacts = OfPageOrFile<z.output<z.ZodObject<typeof scrapeFacts>>, "sourceURL">;

/** Metadata that a page gives about itself, under any name that is not reserved for the fields above. */
const PageValue = z.union([z.string(), z.array(z.string())]);

/** `metadata` of a scrape (contract, section 2.3). */
const ScrapeMetadata = z
  .object({ ...captureFacts, ...answerFacts, ...scrapeFacts })
  .catchall(PageValue)
  .describe("Facts about this scrape and the metadata from the head of the page.");
export type ScrapeMetadata = Immutable<z.output<typeof ScrapeMetadata>>;

const { url: _url, ...fileCaptureFacts } = captureFacts;
const { sourceURL: _sourceUrl, ...fileScrapeFacts } = scrapeFacts;

/** `metadata` of an uploaded file. */
const FileMetadata = z
  .object({ ...fileCaptureFacts, ...answerFacts, ...fileScrapeFacts, ...uploadFacts })
  .catchall(PageValue)
  .describe("Facts about this file and the metadata that it contains.");

export type AnswerFields = Readonly<Record<string, z.ZodType>>;

/**
 * The response of a scrape. The field of a format is present only when it was requested and available
 * (contract, section 2.2).
 */
export function scrapeAnswer<Fields extends AnswerFields>(fieldsOfFormats: Fields) {
  const data = dataOf(fieldsOfFormats).extend({ metadata: ScrapeMetadata });
  const hints = z
    .array(z.string())
    .exactOptional()
    .describe("What to do next, where the header `x-firecrawl-agent-hints` is `true`.");
  return z.strictObject({ success: z.literal(true), data, agent_hints: hints });
}

/** The response for an uploaded file. */
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
        .describe("The Markdown of each PDF page, when the parser option `pages` is set."),
      blocks: z
        .array(DocumentPageBlocks)
        .exactOptional()
        .describe("The layout of each PDF page, when the parser option `blocks` is set."),
      tools: z
        .array(z.looseObject({ provider: z.string(), capability: z.string(), description: z.string() }))
        .exactOptional()
        .describe("With `domainTools`: provider tools for the domain of the page."),
      warning: z.string().exactOptional().describe("All warnings as one text, newest first."),
    });
}

const codes = Object.keys(errorCodes) as ErrorCode[];

/** The response of every failure except too many requests (contract, section 4). */
export const FailureAnswer = lazy(() =>
  z.strictObject({
    success: z.literal(false),
    code: z.enum(codes).exactOptional().describe("Error code. Absent when the HTTP status is sufficient."),
    error: z.string(),
    chargeId: z.string().exactOptional().describe("Id of the charge for a provider tool request."),
    runId: z.string().exactOptional().describe("Id of the run that must end first."),
    requiresAction: z
      .boolean()
      .exactOptional()
      .describe("True when the team must do something before it retries."),
    details: z
      .union([z.array(z.looseObject({ code: z.string() })), z.looseObject({})])
      .exactOptional()
      .describe("Validation issues of the request, or the action that failed."),
  }),
);

/** The response with status 429 (interface document, section 7). */
export const RateLimitAnswer = () => z.strictObject({ error: z.string() });
