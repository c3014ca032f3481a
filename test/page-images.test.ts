import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";

import type { RequestAnswer } from "../packages/server/src/history/operator/show-request.ts";
import { ADMIN_KEY, makeTeam, operate, type TestTeam } from "./operator.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";

const world = useSharedWorld("keyed");
let team: TestTeam;

beforeAll(async () => {
  team = await makeTeam(world);
});

const headers = { authorization: `Bearer ${ADMIN_KEY}` };

function pageImage(id: string, number: number | string): Promise<Response> {
  return fetch(`${world.baseUrl}/admin/api/requests/${id}/pages/${number}.png`, { headers });
}

async function countOf(id: string): Promise<number> {
  const response = await fetch(`${world.baseUrl}/admin/api/requests/${id}`, { headers });
  return ((await response.json()) as RequestAnswer).data.pageImages;
}

function pdfAt(path: string, file: Buffer): string {
  return world.site.page(path, (_request, response) => {
    response.setHeader("content-type", "application/pdf").end(file);
  });
}

/** A page that is red in its left half, and wider than high. */
const RED_HALF = { content: "1 0 0 rg 0 0 400 400 re f", width: 800, height: 400 };

async function read(path: string, file: Buffer, wish: object = {}): Promise<string> {
  const { body } = await team.scrape({ url: pdfAt(path, file), ...wish });
  return body.data.metadata.scrapeId;
}

describe("the pages of a document that was read", () => {
  let id = "";
  beforeAll(async () => {
    id = await read("/two.pdf", writePdf({ pages: [textPage("First"), { ...RED_HALF }] }));
  });

  test("are drawn in colour, in their own shape", async () => {
    expect(await countOf(id)).toBe(2);
    const response = await pageImage(id, 2);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("cache-control")).toContain("private");
    expect(response.headers.get("content-security-policy")).toBe("default-src 'none'");
    const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.width / info.height).toBeCloseTo(2, 1);
    const pixel = (share: number) => [
      ...data.subarray(3 * Math.floor(info.width * (Math.floor(info.height / 2) + share))).subarray(0, 3),
    ];
    expect(pixel(0.25)).toEqual([255, 0, 0]);
    expect(pixel(0.75)).toEqual([255, 255, 255]);
  });

  test.each(["3", "0", "x", "1e1", "-1"])("are not there by the number %s", async (number) => {
    expect((await pageImage(id, number)).status).toBe(404);
  });

  test("are for the operator alone", async () => {
    const path = `${world.baseUrl}/admin/api/requests/${id}/pages/1.png`;
    for (const authorization of ["", team.headers.authorization])
      expect((await fetch(path, { headers: { authorization } })).status).toBe(401);
  });

  test("go with the kept file", async () => {
    const url = pdfAt("/purged.pdf", writePdf({ pages: [textPage("Gone")] }));
    const { body } = await team.scrape({ url });
    const purged = body.data.metadata.scrapeId;
    expect((await pageImage(purged, 1)).status).toBe(200);
    await operate(world, "POST cache/purge", { url });
    expect((await pageImage(purged, 1)).status).toBe(404);
    expect(await countOf(purged)).toBe(0);
  });

  test("of an enormous sheet have no more dots than are bounded", async () => {
    const sheet = { content: "", width: 14_400, height: 14_400 };
    const huge = await read("/huge.pdf", writePdf({ pages: [{ ...sheet }, textPage("Text")] }));
    const { width, height } = await sharp(
      Buffer.from(await (await pageImage(huge, 1)).arrayBuffer()),
    ).metadata();
    expect(width * height).toBeLessThanOrEqual(3_000_000);
  });
});

test("a document whose blocks were answered is kept as long as they are, and goes with its team", async () => {
  const own = await makeTeam(world);
  const url = pdfAt("/blocks.pdf", writePdf({ pages: [textPage("In blocks")] }));
  const { body } = await own.scrape({ url, parsers: [{ type: "pdf", blocks: true }] });
  const id = body.data.metadata.scrapeId;
  expect(await countOf(id)).toBe(1);
  expect((await pageImage(id, 1)).status).toBe(200);
  await world.app.files.erase(own.teamId);
  expect((await pageImage(id, 1)).status).toBe(404);
});

test.each([{ zeroDataRetention: true }, { storeInCache: false }])(
  "a document read with %j has no pictures of its pages",
  async (wish) => {
    const id = await read("/private.pdf", writePdf({ pages: [textPage("Private")] }), {
      ...wish,
      parsers: [{ type: "pdf", blocks: true }],
    });
    expect((await pageImage(id, 1)).status).toBe(404);
  },
);

test("a page of the web has none either", async () => {
  const { body } = await team.scrape({ url: world.site.page("/html", htmlPage("<h1>Page</h1>")) });
  const id = body.data.metadata.scrapeId;
  expect(await countOf(id)).toBe(0);
  expect((await pageImage(id, 1)).status).toBe(404);
});
