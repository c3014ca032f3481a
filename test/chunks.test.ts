import { expect, test } from "vitest";

import { textPage, writePdf } from "./pdf-writer.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";

const world = useSharedWorld();

test("A91 a page comes in chunks, whose spans cover the Markdown of the same answer, also without personal data", async () => {
  const rows = "<tr><td>North quay</td><td>240</td></tr>".repeat(8);
  const url = world.site.page(
    "/harbour",
    htmlPage(`<main><h1>Elmstad</h1><p>${"Write to keeper@elmstad.example. ".repeat(30)}</p>
      <h2>Quays</h2><table><tr><th>Quay</th><th>Ships</th></tr>${rows}</table></main>`),
  );
  for (const redactPII of [false, true]) {
    const { body } = await world.scrape({
      url,
      formats: ["markdown", { type: "chunks", maxTokens: 128 }],
      redactPII,
    });
    const { markdown = "", chunks = [], metadata } = body.data;
    expect(chunks.map(({ text }) => text).join("")).toBe(markdown);
    expect(chunks.map(({ span }) => markdown.slice(...span))).toEqual(chunks.map(({ text }) => text));
    expect(chunks.at(-1)).toMatchObject({
      headings: ["Elmstad", "Quays"],
      text: expect.stringMatching(/^## Quays/),
    });
    expect(markdown.includes("keeper@")).toBe(!redactPII);
    expect(metadata.creditsUsed).toBe(redactPII ? 5 : 1);
  }
});

test("A91 chunks of a PDF tell its pages, and the box on each", async () => {
  const file = writePdf({
    pages: [textPage("Words of the first page."), textPage("Words of the second page.")],
  });
  const url = world.site.page("/paper.pdf", (_request, response) => {
    response.setHeader("content-type", "application/pdf").end(file);
  });
  const { body } = await world.scrape({ url, formats: ["chunks"] });
  const { chunks = [], blocks } = body.data;
  expect([chunks.flatMap(({ places = [] }) => places.map(({ page }) => page)), blocks]).toEqual([
    [1, 2],
    undefined,
  ]);
  for (const { box } of chunks[0]?.places ?? []) {
    const [left = 1, top = 1, right = 0, bottom = 0] = box ?? [];
    // The line is 72 points from the left, and 72 from the top, of 612 by 792.
    expect([left > 0.1 && left < 0.13, top > 0.07 && top < 0.1, right > left, bottom > top]).not.toContain(
      false,
    );
  }
});

test.each([[31], [8193], [1.5]])("A91 chunks of %d tokens are refused", async (maxTokens) => {
  const { status } = await world.scrape({ url: "http://a.test/", formats: [{ type: "chunks", maxTokens }] });
  expect(status).toBe(400);
});
