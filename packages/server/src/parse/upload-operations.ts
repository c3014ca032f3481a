import { tmpdir } from "node:os";
import { Readable } from "node:stream";

import { z } from "zod";

import type { Caller } from "../accounts/callers.ts";
import { done } from "../api/common-shapes.ts";
import { ServiceError } from "../api/errors.ts";
import { LATER, SCRAPE_ID, success } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { defineOperation } from "../api/operation.ts";
import { refuseUnknownName } from "../scrape/request/file-types.ts";
import { NamelessFile } from "./nameless-file.ts";
import { fileNameOf } from "./receive-form.ts";
import { receiving } from "./receiving.ts";
import type { Uploads } from "./uploads.ts";

export interface UploadServices {
  readonly uploads: Uploads;
}

export const Reference = z.string().max(1000);
export const EXAMPLE_REFERENCE = `${SCRAPE_ID}.1777710600000.signature`;

const openUpload = defineOperation({
  line: "POST /v2/parse/upload-url",
  tag: "Files",
  summary: "Get a link to send a file to, which is parsed later",
  endpoint: "parse",
  rate: "scrape",
  body: defineShape(
    "UploadRequest",
    () =>
      z.strictObject({
        filename: z.string().min(1).max(512),
        contentType: z.string().min(1).max(255).optional(),
        declaredSizeBytes: z.int().min(1).max(limits.pageBytes).optional(),
        origin: z.string().max(limits.originLength).optional(),
        integration: z.string().max(100).nullable().optional(),
      }),
    { filename: "report.pdf", contentType: "application/pdf" },
  ),
  answer: defineShape(
    "UploadLink",
    () =>
      z.strictObject({
        success: z.literal(true),
        data: z.strictObject({
          uploadUrl: z.string().describe("Takes the bytes of the file without a key."),
          uploadRef: z.string().describe("Names the file in a request to POST /v2/parse, once."),
          method: z.literal("PUT"),
          headers: z.record(z.string(), z.string()),
          expiresAt: z.string().describe("Ten minutes later."),
          maxSizeBytes: z.int(),
        }),
      }),
    {
      success,
      data: {
        uploadUrl: `https://scrape.test/v2/parse/upload/${SCRAPE_ID}?uploadRef=${EXAMPLE_REFERENCE}`,
        uploadRef: EXAMPLE_REFERENCE,
        method: "PUT",
        headers: { "Content-Type": "application/pdf" },
        expiresAt: LATER,
        maxSizeBytes: limits.pageBytes,
      },
    },
  ),
  errors: [400, 429],
  async handle({ body, caller, linkBase }, { uploads }: UploadServices) {
    return { success: true, data: await openUploadLink(body, { caller, linkBase }, uploads) };
  },
});

/**
 * Creates a link for uploading a file of this name.
 * @throws ServiceError UNSUPPORTED_FILE_TYPE, PARSE_UPLOAD_UNPARSED_LIMIT_REACHED; BAD_REQUEST when nothing
 * may be kept.
 */
export async function openUploadLink(
  { filename, contentType }: { readonly filename: string; readonly contentType?: string | undefined },
  { caller, linkBase }: { readonly caller: Caller; readonly linkBase: string },
  uploads: Uploads,
) {
  if (caller.team.flags.zeroDataRetention === "forced") throw nothingKept();
  const name = fileNameOf(filename);
  refuseUnknownName({ name, contentType });
  const { id, reference, expiresAtMs } = await uploads.begin({ teamId: caller.teamId, name, contentType });
  return {
    uploadUrl: `${linkBase}/v2/parse/upload/${id}?uploadRef=${reference}`,
    uploadRef: reference,
    method: "PUT" as const,
    headers: { "Content-Type": contentType ?? "application/octet-stream" },
    expiresAt: new Date(expiresAtMs).toISOString(),
    maxSizeBytes: limits.pageBytes,
  };
}

const putUpload = defineOperation({
  line: "PUT /v2/parse/upload/{id}",
  access: "anyone",
  tag: "Files",
  summary: "Send a file to its upload URL",
  params: { id: { type: "string", format: "uuid", examples: [SCRAPE_ID] } },
  query: z.object({ uploadRef: Reference.default("") }),
  streamed: {
    types: /^/,
    contentType: "application/octet-stream",
    schema: { type: "string", format: "binary" },
  },
  answer: done,
  errors: [400, 404, 409],
  async handle(call, { uploads }: UploadServices) {
    const { params, query } = call;
    // Fastify omits an empty body.
    const body: unknown = call.body;
    await receiving(call, () =>
      uploads.receive(params.id, query.uploadRef, async (store) => {
        const file = await NamelessFile.open(tmpdir());
        try {
          await file.fill(body instanceof Readable ? body : Readable.from([]));
          await store({ sizeBytes: file.sizeBytes, open: () => file.stream() });
        } finally {
          await file.close();
        }
      }),
    );
    return { success: true as const };
  },
});

export const uploadOperations = [openUpload, putUpload];

function nothingKept(): ServiceError {
  const message =
    "Your team has zero data retention, and a file that is sent ahead is kept until it is parsed. Send it with POST /v2/parse.";
  return new ServiceError("BAD_REQUEST", { message });
}
