import { z } from "zod";

import { screenshotOptions } from "../../contract/screenshot-options.ts";
import type { Content } from "../documents/content.ts";
import { pageInput, scrapePage } from "./page.ts";
import { defineTool } from "./tool.ts";

/** Models take images up to 5 MB as base64, which is a third longer than the bytes. */
const MOST_IMAGE_BYTES = 3_700_000;

export const screenshot = defineTool({
  title: "Take a screenshot",
  description: "Open one web page in a browser and return a picture of it.",
  input: z.strictObject({ ...pageInput, ...screenshotOptions }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  endpoint: "scrape",
  isWork: true,
  async call({ fullPage, quality, viewport, ...page }, context, services) {
    const format = { type: "screenshot", fullPage, quality, viewport };
    const { answer, facts } = await scrapePage({ ...page, formats: [format] }, context, services);
    const { screenshot: link, warning, metadata } = answer.data(facts);
    const { title, url, statusCode, creditsUsed, scrapeId } = metadata;
    const told = { title, url, statusCode, creditsUsed, scrapeId, warning, image: imageLink(link) };
    return { content: [...imageOf(answer.capture.screenshot), { type: "text", text: JSON.stringify(told) }] };
  },
});

/** Without a server a link leads nowhere. */
function imageLink(link: string | undefined): string | undefined {
  return link?.startsWith("http") ? link : undefined;
}

function imageOf(image: { readonly bytes: Uint8Array; readonly contentType: string } | undefined): Content[] {
  if (!image) return [{ type: "text", text: "There is no picture; the warning says why." }];
  const { bytes, contentType } = image;
  if (bytes.byteLength > MOST_IMAGE_BYTES) return [{ type: "text", text: TOO_LARGE }];
  return [{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType: contentType }];
}

const TOO_LARGE =
  "The picture is too large to be shown here; the link leads to it. Set quality, such as 60, or fullPage: false.";
