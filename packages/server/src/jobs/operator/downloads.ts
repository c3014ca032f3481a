import type { Readable } from "node:stream";

import { lines } from "../../api/common-shapes.ts";
import { eachDocument, jsonLines, markdownArchive } from "../download-documents.ts";
import type { StoredJob } from "../job-store.ts";
import type { DocumentSource } from "../job-status.ts";
import type { Call } from "../../api/call.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import type { JobServices } from "./jobs.ts";
import { jobIdPart, openJobNamed } from "./show-job.ts";

interface DownloadServices extends JobServices {
  readonly records: JobServices["records"] & DocumentSource;
}

/** Downloads that take longer are cut off. */
const MAX_DOWNLOAD_MS = 60 * 60 * 1000;

const asLines = defineOperation({
  line: "GET /admin/api/jobs/{id}/documents.jsonl",
  access: "operator",
  tag: "Operator",
  summary: "Download the documents of a job as JSON lines",
  params: { id: jobIdPart },
  answer: lines,
  errors: [403, 404],
  async handle(call, services: DownloadServices) {
    const { found, signal } = await startDownload(call, services);
    return download(jsonLines(eachDocument(found, services.records), signal), found, "jsonl");
  },
});

const asArchive = defineOperation({
  line: "GET /admin/api/jobs/{id}/documents.zip",
  access: "operator",
  tag: "Operator",
  summary: "Download the Markdown of the documents of a job as a ZIP archive, with a file for each document",
  params: { id: jobIdPart },
  answer: { contentType: "application/zip", isBinary: true, example: "ZIP" },
  errors: [403, 404],
  async handle(call, services: DownloadServices) {
    const { found, signal } = await startDownload(call, services);
    return download(await markdownArchive(found, services.records, signal), found, "zip");
  },
});

/** Operations that stream all documents of a job. */
export const downloadOperations = [asLines, asArchive];

async function startDownload(
  {
    params,
    signal,
  }: Pick<Call<{ params: { id: string }; query: unknown; body: unknown }>, "params" | "signal">,
  { stores }: DownloadServices,
) {
  const found = await openJobNamed(params.id, stores);
  return { found, signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_DOWNLOAD_MS)]) };
}

const TYPES = { jsonl: "application/x-ndjson", zip: "application/zip" } as const;

function download(content: Readable, { job }: StoredJob, ending: keyof typeof TYPES): Outgoing {
  const headers = { "content-disposition": `attachment; filename="${job.family}-${job.id}.${ending}"` };
  return new Outgoing(content, { type: TYPES[ending], headers });
}
