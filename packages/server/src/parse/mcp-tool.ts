import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import { openLocalFile } from "./local-file.ts";
import type { ParseOperationServices } from "./operations.ts";
import { runParse, type SentFile } from "./run-parse.ts";
import { openUploadLink } from "./upload-operations.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { documentContent } from "../mcp/documents/document.ts";
import { defineTool, type ToolContext, type ToolResult } from "../mcp/tool.ts";

const MAX_PATH_LENGTH = 4096;
const MAX_REFERENCE_LENGTH = 1000;

export const parse = defineTool({
  title: "Read a file",
  description:
    "Return a PDF, office file, e-book, table or picture as Markdown. Give path if this server is on your machine; else filename, send the file to the returned link, then give uploadRef. Costs 1 credit, a PDF 1 per page.",
  input: z.strictObject({
    path: z.string().max(MAX_PATH_LENGTH).optional().describe("Absolute path."),
    filename: z.string().min(1).max(512).optional().describe("Name of a file to send."),
    uploadRef: z.string().max(MAX_REFERENCE_LENGTH).optional().describe("Of a file that was sent."),
    maxPages: z.int().min(1).max(limits.maxPages).optional().describe("Of a PDF."),
  }),
  hints: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
  endpoint: "parse",
  rate: "scrape",
  async call({ path, filename, uploadRef, maxPages }, context, { families: { parse: services } }) {
    const given = [path, filename, uploadRef].filter((one) => one !== undefined);
    if (given.length !== 1) throw badRequest("Give one of path, filename and uploadRef.");
    if (filename !== undefined) return linkFor(filename, context, services);
    const file =
      path === undefined ? await sentFile(uploadRef, context, services) : await localFile(path, context);
    const parsers = maxPages === undefined ? {} : { parsers: [{ type: "pdf", maxPages }] };
    const options = { ...parsers, origin: "mcp" };
    const { caller, linkBase, signal } = context;
    const call = { id: uuidV7(), caller, linkBase, file, options };
    const { answer, facts, job } = await runParse(call, services, signal);
    return { content: documentContent(answer.data(facts), { from: 0, isKept: job.retention !== "none" }) };
  },
});

async function linkFor(
  filename: string,
  context: ToolContext,
  { uploads }: ParseOperationServices,
): Promise<ToolResult> {
  if (context.linkBase === "")
    throw badRequest("This server runs on your machine. Give the path of the file.");
  const { uploadUrl, uploadRef } = await openUploadLink({ filename }, context, uploads);
  const text = [
    `Send the file within ten minutes: curl -fsS -T FILE '${uploadUrl}'`,
    `Then call parse with uploadRef ${uploadRef}.`,
  ].join("\n");
  return { content: [{ type: "text", text }] };
}

function sentFile(
  reference: string | undefined,
  { caller }: ToolContext,
  { uploads }: ParseOperationServices,
): Promise<SentFile> {
  return uploads.open(reference ?? "", caller.teamId);
}

/** Callers over the network have their files on another machine. */
async function localFile(path: string, { linkBase }: ToolContext): Promise<SentFile> {
  if (linkBase !== "") {
    throw badRequest(
      "This server cannot read files of your machine. Give filename to get a link for the file.",
    );
  }
  return openLocalFile(path).catch((failure: unknown) => {
    if (failure instanceof ServiceError) throw failure;
    throw badRequest(`No file found at ${path} that this server may read.`);
  });
}

function badRequest(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}
