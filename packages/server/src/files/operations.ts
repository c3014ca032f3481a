import { Readable } from "node:stream";

import { z } from "zod";

import { SCRAPE_ID } from "../api/example-values.ts";
import { defineOperation } from "../api/operation.ts";
import { Outgoing } from "../api/outgoing.ts";
import { FILES_PATH, type Files, type LinkedFile } from "./files.ts";
import { byteRange } from "../http/byte-range.ts";

/** Maximum length of a part of the link. Links of this service are shorter. */
const MAX_PART_LENGTH = 1000;

/** Serves the files that answers link to. Links need no key, because they cannot be guessed and expire. */
export const readFile = defineOperation({
  line: `GET ${FILES_PATH}/{name}`,
  access: "anyone",
  tag: "Files",
  summary: "Download a file linked in a response",
  params: { name: { type: "string", examples: [`${SCRAPE_ID}.png`] } },
  hidesMistakes: true,
  query: z.object({ expires: z.string().max(MAX_PART_LENGTH), signature: z.string().max(MAX_PART_LENGTH) }),
  answer: { contentType: "*/*", isBinary: true, example: "(bytes)" },
  errors: [404, 410],
  async handle({ params: { name }, query, method, headers }, files: Files) {
    const found = await files.open({ name, ...query });
    if (found === undefined) return notFound();
    if (found === "expired") return new Outgoing({ success: false, error: "Expired" }, { status: 410 });
    return partOf(found, { name, range: headers.range, isHead: method === "HEAD" });
  },
});

function notFound(): Outgoing {
  return new Outgoing({ success: false, error: "Not Found" }, { status: 404 });
}

interface FileRequest {
  readonly name: string;
  readonly range: string | undefined;
  /** HEAD requests do not read the file. */
  readonly isHead: boolean;
}

/** Streams the file or the requested part of it. */
async function partOf(file: LinkedFile, { name, range, isHead }: FileRequest): Promise<Outgoing> {
  const part = byteRange(range, file.sizeBytes);
  const headers = headersFor(name);
  if (part === "unsatisfiable") {
    const contentRange = { "content-range": `bytes */${file.sizeBytes}` };
    return new Outgoing(undefined, { status: 416, headers: { ...headers, ...contentRange } });
  }
  const content = isHead ? Readable.from([]) : await file.read(part);
  if (content === undefined) return notFound();
  const sizeBytes = part ? part.end - part.start + 1 : file.sizeBytes;
  return new Outgoing(content, {
    status: part ? 206 : 200,
    type: file.contentType,
    headers: {
      ...headers,
      "content-length": sizeBytes,
      ...(part && { "content-range": `bytes ${part.start}-${part.end}/${file.sizeBytes}` }),
    },
  });
}

function headersFor(name: string) {
  return {
    "cache-control": "private, max-age=86400, immutable",
    "x-content-type-options": "nosniff",
    // A file from a scraped page must not run as a page of this service.
    "content-security-policy": "default-src 'none'; sandbox",
    // NOTE: the link is signed, so this service has chosen the name.
    "content-disposition": `inline; filename="${name}"`,
    "accept-ranges": "bytes",
  };
}
