import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import { lines } from "../api/common-shapes.ts";
import { ForbiddenError, ServiceError } from "../api/errors.ts";
import { EXAMPLE_URL, SCRAPE_ID, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { JsonParts, Outgoing } from "../api/outgoing.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import { Chunk, MaxTokens } from "../scrape/formats/chunks.ts";
import type { RunServices } from "../scrape/run.ts";
import { type ArchivedPage, writeWarc } from "../scrape/warc.ts";
import { eachDocument, jsonLines } from "./download-documents.ts";
import { type JobOperationServices, type JobRoutes, idPart, pageQuery } from "./job-operations.ts";
import { documentIn, findJob, readTexts, withData } from "./job-status.ts";
import { type ParquetColumn, writeParquet } from "./parquet.ts";

/** Exports that take longer are cut off. */
const MAX_EXPORT_MS = 60 * 60 * 1000;
const DEFAULT_DOCUMENTS = 20;
const PART_CHARACTERS = 64 * 1024;
const RESTRICTED = "Exports have all formats, and this API key is restricted to some. Use another key.";

const JobChunk = lazy(() =>
  Chunk.extend({
    scrapeId: z.string().describe("The document that it is a part of."),
    url: z.string(),
    title: z.string().optional(),
  }),
);
type JobChunk = z.output<ReturnType<typeof JobChunk>>;

const maxTokens = z.preprocess((text) => (text === undefined ? text : Number(text)), MaxTokens);

export const ExportOrder = z.object({
  of: z.enum(["documents", "chunks"]).default("documents").describe("What is exported. WARC has pages."),
  as: z.enum(["jsonl", "parquet", "warc"]).default("jsonl").describe("The type of the file."),
  maxTokens,
});
export type ExportOrder = z.output<typeof ExportOrder>;

type PageStores = Pick<RunServices, "answers" | "cache" | "records">;

interface ExportServices extends JobOperationServices {
  readonly scraping: PageStores;
}

const EXAMPLE_CHUNK: JobChunk = {
  id: "5b2d3c0f4f5a1d0f2c8e9a77",
  hash: "0c1f7a8be93d2546",
  text: "# Example Domain\n\nThis domain is for use in examples.",
  tokens: 14,
  headings: ["Example Domain"],
  span: [0, 53],
  scrapeId: SCRAPE_ID,
  url: EXAMPLE_URL,
};

const jobChunks = defineShape(
  "JobChunks",
  () =>
    z.strictObject({
      success: Success,
      data: z.array(JobChunk()),
      leftOut: z
        .array(z.string())
        .optional()
        .describe("URLs of documents without Markdown, or ids of those that are not kept any more."),
      next: z.string().optional().describe("Where the next ones are, if there are more now."),
    }),
  { success, data: [EXAMPLE_CHUNK], next: `${EXAMPLE_URL}v2/crawl/${SCRAPE_ID}/chunks?skip=20` },
);

/** Operations for what documents hold, besides their status: the chunks page by page, and files of everything. */
export function exportOperations(routes: JobRoutes): readonly Operation<ExportServices>[] {
  return [readChunks(routes), exportJob(routes)];
}

function readChunks({ families, title, path, endpoint, tag = "Sites" }: JobRoutes) {
  return defineOperation({
    line: `GET ${path}/{id}/chunks`,
    tag,
    summary: `${title}: documents in chunks for a search index`,
    endpoint,
    rate: "crawlStatus",
    params: { id: idPart },
    query: pageQuery.extend({ maxTokens }),
    answer: jobChunks,
    errors: [400, 403, 404],
    async handle(
      { params: { id }, query, caller, linkBase, signal },
      { stores, records, scraping }: ExportServices,
    ) {
      const found = await findJob(stores, { id, teamId: caller.teamId, families });
      const { skip = 0, limit = DEFAULT_DOCUMENTS } = query;
      const read = await readTexts(found, { skip, limit, signal }, records, caller);
      try {
        const [data, leftOut]: [string[], string[]] = [[], []];
        for (const text of read.texts) {
          const document = await documentIn(text);
          const chunks = await chunksOf(document, query.maxTokens, scraping, signal);
          if (chunks) await forEachInTurns(chunks, signal, (chunk) => data.push(JSON.stringify(chunk)));
          else leftOut.push(nameOf(document));
        }
        const { next, hasMore, release } = read;
        const link = `${linkBase}${path}/${id}/chunks?skip=${next}&limit=${limit}&maxTokens=${query.maxTokens}`;
        const head = {
          success: true,
          ...(leftOut.length > 0 && { leftOut }),
          ...(hasMore && { next: link }),
        };
        return new JsonParts(await withData(JSON.stringify(head), data), release);
      } catch (failure) {
        read.release();
        throw failure;
      }
    },
  });
}

function exportJob({ families, title, path, endpoint, tag = "Sites" }: JobRoutes) {
  return defineOperation({
    line: `GET ${path}/{id}/export`,
    tag,
    summary: `${title}: all documents, chunks or pages as a file of JSON lines, Parquet or WARC`,
    endpoint,
    rate: "crawlStatus",
    params: { id: idPart },
    query: ExportOrder,
    answer: lines,
    errors: [400, 403, 404],
    async handle({ params: { id }, query, caller, signal }, { stores, scraping }: ExportServices) {
      if (caller.restrictions.formats) throw new ForbiddenError(RESTRICTED);
      const found = await findJob(stores, { id, teamId: caller.teamId, families });
      const until = AbortSignal.any([signal, AbortSignal.timeout(MAX_EXPORT_MS)]);
      const name = `${found.job.family}-${id}${query.of === "chunks" ? "-chunks" : ""}.${ENDINGS[query.as]}`;
      return new Outgoing(exportOf(eachDocument(found, scraping.records), query, scraping, until), {
        type: TYPES[query.as],
        headers: { "content-disposition": `attachment; filename="${name}"` },
      });
    },
  });
}

const ENDINGS = { jsonl: "jsonl", parquet: "parquet", warc: "warc.gz" } as const;
const TYPES = {
  jsonl: lines.contentType,
  parquet: "application/vnd.apache.parquet",
  warc: "application/warc",
} as const;

/**
 * Documents in JSON as a file. Reading follows the consumer.
 * @throws ServiceError BAD_REQUEST for chunks as WARC.
 */
export function exportOf(
  documents: AsyncIterable<string>,
  { of, as, maxTokens: most }: ExportOrder,
  services: PageStores,
  signal: AbortSignal,
): Readable {
  const binary = (parts: AsyncIterable<Uint8Array>) => Readable.from(parts, { objectMode: false, signal });
  if (as === "warc") {
    if (of === "documents") return binary(writeWarc(archivedPages(documents, services)));
    throw new ServiceError("BAD_REQUEST", {
      message: "WARC has whole pages. Export chunks as jsonl or parquet.",
    });
  }
  if (of === "documents") {
    return as === "jsonl"
      ? jsonLines(documents, signal)
      : binary(writeParquet(documentRows(documents), DOCUMENT_COLUMNS));
  }
  const leftOut: string[] = [];
  const chunks = eachChunk(documents, { most, leftOut }, services, signal);
  return binary(
    as === "jsonl" ? linesOf(chunks, leftOut) : writeParquet(chunkRows(chunks), CHUNK_COLUMNS, { leftOut }),
  );
}

const DOCUMENT_COLUMNS: readonly ParquetColumn[] = [
  { name: "scrapeId", type: "STRING" },
  { name: "url", type: "STRING" },
  { name: "title", type: "STRING", nullable: true },
  { name: "statusCode", type: "INT32", nullable: true },
  { name: "markdown", type: "STRING", nullable: true },
  { name: "document", type: "STRING" },
];
const CHUNK_COLUMNS: readonly ParquetColumn[] = [
  { name: "id", type: "STRING" },
  { name: "hash", type: "STRING" },
  { name: "scrapeId", type: "STRING" },
  { name: "url", type: "STRING" },
  { name: "title", type: "STRING", nullable: true },
  { name: "text", type: "STRING" },
  { name: "tokens", type: "INT32" },
  { name: "headings", type: "JSON" },
  { name: "start", type: "INT32" },
  { name: "end", type: "INT32" },
  { name: "isCut", type: "BOOLEAN" },
  { name: "places", type: "JSON", nullable: true },
];

async function* documentRows(documents: AsyncIterable<string>) {
  for await (const text of documents) {
    const document = await documentIn(text);
    const { statusCode } = document.metadata;
    yield { ...factsOf(document), statusCode, markdown: document.markdown, document: text };
  }
}

async function* chunkRows(chunks: AsyncIterable<JobChunk>) {
  for await (const { span, isCut = false, ...chunk } of chunks)
    yield { ...chunk, start: span[0], end: span[1], isCut };
}

/** Other work has its turn after each part. A last line lists what was left out. */
async function* linesOf(values: AsyncIterable<object>, leftOut: readonly string[]): AsyncGenerator<Buffer> {
  let part = "";
  for await (const value of values) {
    part += `${JSON.stringify(value)}\n`;
    if (part.length < PART_CHARACTERS) continue;
    yield Buffer.from(part);
    part = "";
    await nextTurn();
  }
  if (leftOut.length > 0) part += `${JSON.stringify({ leftOut })}\n`;
  yield Buffer.from(part);
}

async function* eachChunk(
  documents: AsyncIterable<string>,
  { most, leftOut }: { readonly most: number; readonly leftOut: string[] },
  services: PageStores,
  signal: AbortSignal,
) {
  for await (const text of documents) {
    const document = await documentIn(text);
    const chunks = await chunksOf(document, most, services, signal);
    if (chunks) yield* chunks;
    else leftOut.push(nameOf(document));
  }
}

async function* archivedPages(
  documents: AsyncIterable<string>,
  { records, cache }: PageStores,
): AsyncGenerator<ArchivedPage> {
  for await (const answer of documents) {
    const document = await documentIn(answer);
    const captureId = (await records.get(document.metadata.scrapeId))?.record.captureId;
    const capture = captureId === undefined ? undefined : await cache.load(captureId);
    yield { capture, url: nameOf(document), answer };
  }
}

/** The chunks that a document has, else those of its Markdown. Undefined when it has neither. */
async function chunksOf(
  document: ScrapeData,
  most: number,
  { answers }: Pick<PageStores, "answers">,
  signal: AbortSignal,
): Promise<readonly JobChunk[] | undefined> {
  const { chunks, markdown } = document;
  const facts = factsOf(document);
  const found =
    chunks ??
    (markdown === undefined
      ? undefined
      : await answers.chunksOf(markdown, { maxTokens: most, url: facts.url }, signal));
  return (found as readonly z.output<typeof Chunk>[] | undefined)?.map((chunk) => ({ ...chunk, ...facts }));
}

function factsOf(document: ScrapeData): Pick<JobChunk, "scrapeId" | "url" | "title"> {
  const { scrapeId, title } = document.metadata as Readonly<Record<string, unknown>>;
  return { scrapeId: String(scrapeId), url: urlOf(document), ...(typeof title === "string" && { title }) };
}

/** The URL of a document, or the id of one that is not kept any more. */
function nameOf(document: ScrapeData): string {
  const { scrapeId, url } = factsOf(document);
  return url || scrapeId;
}

function urlOf({ metadata }: ScrapeData): string {
  const { url, sourceURL } = metadata as { readonly url?: string; readonly sourceURL?: string };
  return url ?? sourceURL ?? "";
}
