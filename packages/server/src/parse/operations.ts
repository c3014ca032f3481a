import { Readable } from "node:stream";
import { tmpdir } from "node:os";

import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { ServiceError } from "../api/errors.ts";
import { success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { ForeignJsonError, parseForeignJson } from "@pergamon-dev/kit/foreign/parse-json";
import type { TeamCall } from "../api/call.ts";
import { defineOperation } from "../api/operation.ts";
import { JsonParts, Outgoing } from "../api/outgoing.ts";
import { fileAnswer } from "../scrape/answer/shape.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import { fileTypes } from "../scrape/request/file-types.ts";
import { NamelessFile } from "./nameless-file.ts";
import { parseOptionsSchema } from "./request.ts";
import { missingFile, receiveForm } from "./receive-form.ts";
import { type ParseServices, runParse, type SentFile } from "./run-parse.ts";
import { receiving } from "./receiving.ts";
import { EXAMPLE_REFERENCE, Reference, uploadOperations, type UploadServices } from "./upload-operations.ts";

export interface ParseOperationServices extends ParseServices, UploadServices {
  /** Whether OCR of pictures is available here. */
  readonly readsPictures: () => Promise<boolean>;
}

const options = lazy(() => parseOptionsSchema(documentedScrapeRequest()));

const parseRequest = defineShape(
  "ParseRequest",
  () => z.unknown(),
  {
    uploadRef: EXAMPLE_REFERENCE,
    formats: ["markdown"],
  },
  () => options().extend({ uploadRef: Reference.describe("The file, sent ahead to its upload URL.") }),
);

/** Clients without a content type, or with that of a form or of text, still send JSON. */
const NOT_JSON = /^(?!application\/(?:json|x-www-form-urlencoded)|text\/plain)/i;

const parse = defineOperation({
  line: "POST /v2/parse",
  tag: "Files",
  summary: "Read a file that is sent with the request, or was sent ahead",
  description: "Reads an uploaded file, with the formats and options of a scrape.",
  endpoint: "parse",
  rate: "scrape",
  isPaid: true,
  body: parseRequest,
  streamed: {
    types: NOT_JSON,
    contentType: "multipart/form-data",
    schema: {
      type: "object",
      required: ["file"],
      properties: {
        file: { type: "string", format: "binary", description: "At most 50 MB. Needs a file name." },
        options: { type: "string", description: "Options of a scrape as JSON, before or after the file." },
      },
    },
  },
  answer: fileAnswer,
  errors: [402, 403, 408, 503],
  async handle(call, services: ParseOperationServices) {
    if (!(call.body instanceof Readable)) return parseReference(call, services);
    const file = await NamelessFile.open(tmpdir());
    try {
      const form = await receiving(call, () => receiveForm(call.body as Readable, call.headers, file));
      const { name, contentType } = form;
      const sent = { name, contentType, sizeBytes: file.sizeBytes, read: () => file.read() };
      return await answer(call, { file: sent, options: optionsIn(form.options) }, services);
    } finally {
      await file.close();
    }
  },
});

const listFormats = defineOperation({
  line: "GET /v2/parse/formats",
  tag: "Files",
  summary: "The sorts of files that can be read",
  endpoint: "parse",
  rate: "crawlStatus",
  answer: defineShape(
    "ParseFormats",
    () =>
      z.strictObject({
        success: z.literal(true),
        data: z.strictObject({
          formats: z.array(
            z.strictObject({
              format: z.string(),
              kind: z.enum(["document", "image"]),
              extensions: z.array(z.string()),
              mimeTypes: z.array(z.string()),
              available: z.boolean(),
            }),
          ),
        }),
      }),
    { success, data: { formats: [{ ...fileTypes[2], available: true }] } },
  ),
  async handle(_call, { readsPictures }: ParseOperationServices) {
    const readsImages = await readsPictures();
    const formats = fileTypes.map((type) => ({
      ...type,
      available: type.kind === "document" || readsImages,
    }));
    const headers = { "cache-control": "private, max-age=3600" };
    return new Outgoing({ success: true, data: { formats } }, { headers });
  },
});

export const parseOperations = [parse, ...uploadOperations, listFormats];

async function parseReference(call: TeamCall, services: ParseOperationServices): Promise<JsonParts> {
  const { uploadRef, ...rest } = (call.body ?? {}) as { readonly uploadRef?: unknown };
  if (typeof uploadRef !== "string" || uploadRef === "") throw missingFile();
  const file = await services.uploads.open(uploadRef, call.caller.teamId);
  return answer(call, { file, options: rest }, services);
}

interface Wanted {
  readonly file: SentFile;
  readonly options: object;
}

async function answer(call: TeamCall, wanted: Wanted, services: ParseServices): Promise<JsonParts> {
  const { id, caller, linkBase } = call;
  const isPrivate =
    caller.team.flags.zeroDataRetention === "forced" ||
    ("zeroDataRetention" in wanted.options && wanted.options.zeroDataRetention === true);
  if (isPrivate) call.keepPrivate();
  const { answer: parsed, facts } = await runParse(
    { id, caller, linkBase, ...wanted },
    services,
    call.signal,
  );
  if (!isPrivate) call.note({ scrapeId: id });
  return new JsonParts(await parsed.encode(facts, {}));
}

/** @throws ServiceError BAD_REQUEST when the text is not a JSON object. */
function optionsIn(text: string | undefined): object {
  const value = text === undefined ? {} : readOptions(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new ServiceError("BAD_REQUEST", { message: "The 'options' field must parse to a JSON object." });
}

function readOptions(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (cause) {
    if (!(cause instanceof ForeignJsonError)) throw cause;
    const message =
      cause.kind === "malformed"
        ? "Invalid JSON in the 'options' field. Provide a valid JSON string."
        : `The 'options' field ${cause.message}.`;
    throw new ServiceError("BAD_REQUEST", { message, cause });
  }
}
