import { z } from "zod";

import type { Capture } from "../capture.ts";
import { packBlob, unpackBlob } from "../../storage/stored-blob.ts";

/** All fields of a capture except its body. Facts of later versions pass through. */
const CaptureFacts = z.looseObject({
  requestedUrl: z.string(),
  url: z.string(),
  statusCode: z.number(),
  reason: z.string(),
  headers: z.record(z.string(), z.string()),
  contentType: z.string().optional(),
  engine: z.string(),
  proxyUsed: z.enum(["basic", "stealth"]),
  hasUnverifiedTls: z.boolean().exactOptional(),
  capturedAtMs: z.number(),
  timezone: z.string().exactOptional(),
  screenshot: z
    .object({ contentType: z.enum(["image/png", "image/jpeg"]), sizeBytes: z.int().min(0) })
    .exactOptional(),
});

/** Types with compressed bytes. Compressing them again costs time and gains nothing. */
const COMPRESSED_TYPE =
  /^(?:image\/(?!svg|bmp|x-)|video\/|audio\/(?!x?-?wav)|font\/woff|application\/(?:pdf|zip|gzip|x-gzip|x-7z|x-rar|x-bzip|epub|zstd|vnd\.(?:openxmlformats|oasis|rar)))/i;

/** Encodes a capture as one blob. A screenshot follows the body. */
export async function encodeCapture({
  body,
  file: _file,
  screenshot,
  ...facts
}: Capture): Promise<Uint8Array> {
  const compresses = !COMPRESSED_TYPE.test(facts.contentType ?? "");
  if (!screenshot) return packBlob({ facts: JSON.stringify(facts), body }, { compresses });
  const { contentType, bytes } = screenshot;
  const told = JSON.stringify({ ...facts, screenshot: { contentType, sizeBytes: bytes.byteLength } });
  return packBlob({ facts: told, body: Buffer.concat([body, bytes]) }, { compresses });
}

/** Decodes a capture. Undefined when the blob is damaged, or comes from an incompatible version. */
export async function decodeCapture(blob: Uint8Array): Promise<Capture | undefined> {
  try {
    const content = await unpackBlob(blob);
    if (!content) return undefined;
    const { screenshot, ...facts } = CaptureFacts.parse(JSON.parse(content.facts));
    const common = { ...facts, contentType: facts.contentType };
    if (!screenshot) return { ...common, body: content.body };
    const bodyBytes = content.body.byteLength - screenshot.sizeBytes;
    const bytes = content.body.subarray(bodyBytes);
    return {
      ...common,
      body: content.body.subarray(0, bodyBytes),
      screenshot: { contentType: screenshot.contentType, bytes },
    };
  } catch {
    // A blob that cannot be decoded counts as missing.
    return undefined;
  }
}
