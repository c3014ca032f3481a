import { z } from "zod";

import { defineFormat } from "./format.ts";

export const rawBase64 = defineFormat({
  options: z
    .strictObject({ type: z.literal("rawBase64") })
    .describe(
      "The response body, unchanged, as base64, also where a browser fetched it. It must be the only format.",
    ),
  listRule: {
    message: "The rawBase64 format cannot be combined with other formats",
    isKept: (types) => types.length === 1,
  },
  answer: { rawBase64: z.string().describe("Base64 of the body, without a data: prefix.") },
  acceptsAnyFile: true,
  takesBody: true,
  cacheUse: () => "bypassed",
  // The capture of a browser stores the browser's result instead of the original body.
  isInCopy: ({ engine, contentType = "" }) => engine === "http" || !/html/i.test(contentType),
  async produce(page) {
    const { buffer, byteOffset, byteLength } = page.capture.body;
    return { rawBase64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
  },
});
