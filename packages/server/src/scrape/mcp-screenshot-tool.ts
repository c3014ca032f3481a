import { z } from "zod";

import { screenshotOptions } from "../api/screenshot-options.ts";
import { type Content, MAX_IMAGE_BYTES } from "../mcp/documents/content.ts";
import { pageInput, scrapePage } from "../mcp/page.ts";
import { defineTool } from "../mcp/tool.ts";

export const screenshot = defineTool({
  title: "Take a screenshot",
  description: "Open a web page in a browser and return a screenshot of it. Costs 1 credit.",
  input: z.strictObject({ ...pageInput, ...screenshotOptions }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  endpoint: "scrape",
  rate: "scrape",
  async call({ fullPage, quality, viewport, ...page }, context, services) {
    const format = { type: "screenshot", fullPage, quality, viewport };
    const { answer, facts } = await scrapePage({ ...page, formats: [format] }, context, services);
    const { screenshot: link, warning, metadata } = answer.data(facts);
    const { title, url, statusCode, creditsUsed, scrapeId } = metadata;
    const shown = imageOf(answer.capture.screenshot);
    const image = shown[0]?.type === "image" && context.linkBase === "" ? undefined : link;
    const told = { title, url, statusCode, creditsUsed, scrapeId, warning, image };
    return { content: [...shown, { type: "text", text: JSON.stringify(told) }] };
  },
});

function imageOf(image: { readonly bytes: Uint8Array; readonly contentType: string } | undefined): Content[] {
  if (!image) return [{ type: "text", text: "No screenshot was taken. The warning says why." }];
  const { bytes, contentType } = image;
  if (bytes.byteLength > MAX_IMAGE_BYTES) return [{ type: "text", text: TOO_LARGE }];
  return [{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType: contentType }];
}

const TOO_LARGE =
  "The screenshot is too large to be returned inline. Its URL is in the field image. Set quality, such as 60, or fullPage: false.";
