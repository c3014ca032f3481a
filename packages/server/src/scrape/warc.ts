import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { readVersion } from "../api/version.ts";
import type { Capture } from "../fetch/capture.ts";

/** A page as it came, and the answer that was made from it, as JSON. */
export interface ArchivedPage {
  /** Undefined when it is not stored any more. */
  readonly capture: Capture | undefined;
  readonly url: string;
  readonly answer: string | Uint8Array;
}

interface WarcRecord {
  readonly type: "warcinfo" | "response" | "metadata";
  readonly id?: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly atMs?: number;
  readonly block: Uint8Array;
}

const zipped = promisify(gzip);

/**
 * Writes pages as WARC 1.1 (ISO 28500), each record compressed by itself: a `response` with the body as it was
 * read, and a `metadata` record with the answer. A last record lists the pages that are not stored any more.
 */
export async function* writeWarc(
  pages: AsyncIterable<ArchivedPage> | Iterable<ArchivedPage>,
): AsyncGenerator<Buffer> {
  const software = `software: pergamon/${readVersion()}\r\nformat: WARC File Format 1.1\r\n`;
  yield zip({ type: "warcinfo", contentType: "application/warc-fields", block: Buffer.from(software) });
  const missing: string[] = [];
  for await (const { capture, url, answer } of pages) {
    const block = Buffer.from(answer);
    if (!capture) missing.push(url);
    const target = { "WARC-Target-URI": oneLine(capture?.url ?? url) };
    const refers: Record<string, string> = {};
    const atMs = capture?.capturedAtMs ?? Date.now();
    if (capture) {
      const id = newId();
      refers["WARC-Concurrent-To"] = id;
      const contentType = "application/http; msgtype=response";
      yield zip({ type: "response", id, contentType, headers: target, atMs, block: responseOf(capture) });
    }
    yield zip({
      type: "metadata",
      contentType: "application/json",
      headers: { ...target, ...refers },
      atMs,
      block,
    });
  }
  if (missing.length === 0) return;
  const block = Buffer.from(JSON.stringify({ notStoredAnyMore: missing }));
  yield zip({ type: "metadata", contentType: "application/json", block });
}

function zip({ type, id = newId(), contentType, headers = {}, atMs, block }: WarcRecord): Promise<Buffer> {
  const fields = {
    "WARC-Type": type,
    "WARC-Record-ID": id,
    "WARC-Date": new Date(atMs ?? Date.now()).toISOString(),
    ...headers,
    "Content-Type": contentType,
    "Content-Length": String(block.byteLength),
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return zipped(
    Buffer.concat([Buffer.from(`WARC/1.1\r\n${head.join("")}\r\n`), block, Buffer.from("\r\n\r\n")]),
  );
}

/** Headers about how the body was sent. It is stored decoded. */
const OF_TRANSPORT = new Set(["content-encoding", "content-length", "transfer-encoding", "connection"]);

function responseOf({ statusCode, reason, headers, contentType, body }: Capture): Buffer {
  const sent = Object.entries({
    ...headers,
    ...(contentType !== undefined && { "content-type": contentType }),
  });
  const lines = [
    ...sent.filter(([name]) => !OF_TRANSPORT.has(name)),
    ["content-length", String(body.byteLength)],
  ];
  const head = lines.map(([name = "", value = ""]) => `${name}: ${oneLine(value)}\r\n`).join("");
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${statusCode} ${oneLine(reason)}\r\n${head}\r\n`), body]);
}

function newId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}
