import { describe, expect, test } from "vitest";

import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import { decodePng } from "../browser/png.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";
import type { Answer } from "../world.ts";

const world = useSharedWorld();

const text = htmlPage(
  `<h1 style="font:60px sans-serif">Some words to read</h1>`,
  "<style>body{margin:20px}</style>",
);
const rows = Array.from(
  { length: 5 },
  (_, index) => `<div style="height:800px;background:rgb(0,${40 * index},200)"></div>`,
);
const high = htmlPage(
  `${rows.join("")}<img id="last" loading="lazy" src="/dot.svg" width="100" height="100">`,
  "<style>body{margin:0} img{display:block}</style>",
);

let shots = 0;

async function take(
  page: string,
  options: object = {},
  { path, ...request }: { path?: string; [name: string]: unknown } = {},
): Promise<Answer> {
  world.site.page("/dot.svg", (_request, response) => {
    response.writeHead(200, { "content-type": "image/svg+xml" });
    response.end(
      `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#ff0000"/></svg>`,
    );
  });
  shots += 1;
  const url = world.site.page(path ?? `/shot-${shots}`, page);
  const answer = await world.scrape({ url, formats: [{ type: "screenshot", ...options }], ...request });
  expect(answer.body.error).toBeUndefined();
  return answer;
}

async function download(url: string | undefined): Promise<{ type: string | null; bytes: Uint8Array }> {
  const response = await fetch(url ?? "");
  expect(response.status).toBe(200);
  return { type: response.headers.get("content-type"), bytes: new Uint8Array(await response.arrayBuffer()) };
}

describe("vector 30: a screenshot", () => {
  test("is a link that needs no key, to a PNG of the viewport with the text in it", async () => {
    const { body } = await take(text, {});
    expect(body.data.screenshot).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/files\/[0-9a-f]{64}\.png\?/);
    const { type, bytes } = await download(body.data.screenshot);
    expect(type).toBe("image/png");
    const pixels = decodePng(bytes);
    expect([pixels.width, pixels.height]).toEqual([1920, 1080]);
    const words = { x: 20, y: 40, width: 560, height: 100 };
    expect(pixels.others("#ffffff", words)).toBeGreaterThan(5000);
    expect(pixels.others("#ffffff", { ...words, y: 300 })).toBe(0);
  });

  test("of the full page shows all of it, also what is loaded on sight", async () => {
    const { body } = await take(high, { fullPage: true });
    const pixels = decodePng((await download(body.data.screenshot)).bytes);
    expect([pixels.width, pixels.height]).toEqual([1920, 4100]);
    rows.forEach((_, index) => {
      expect(pixels.at(1000, index * 800 + 400)).toBe(`#00${(40 * index).toString(16).padStart(2, "0")}c8`);
    });
    expect(pixels.at(50, 4050)).toBe("#ff0000");
    expect(world.site.hits("/dot.svg").length).toBeGreaterThan(0);
  });

  test("of the full page shows what fades in on sight as it is in the end, beside what moves for ever", async () => {
    const parts = Array.from(
      { length: 4 },
      () => `<section style="height:900px;background:#0000ff"></section>`,
    );
    const style = `<style>body{margin:0;background:#fff}section{opacity:0;transition:opacity 3s}.seen{opacity:1}
      @keyframes spin{to{transform:rotate(1turn)}}i{animation:spin 9s infinite;position:fixed}</style>`;
    const script = `<script>const watch=new IntersectionObserver((all)=>{for(const one of all)
      if(one.isIntersecting)one.target.className="seen"});
      document.querySelectorAll("section").forEach((one)=>watch.observe(one))</script>`;
    const { body } = await take(htmlPage(`<i></i>${parts.join("")}${script}`, style), {
      fullPage: true,
      viewport: { width: 400, height: 900 },
    });
    const pixels = decodePng((await download(body.data.screenshot)).bytes);
    expect(parts.map((_, at) => pixels.at(200, at * 900 + 450))).toEqual(parts.map(() => "#0000ff"));
  });

  test("of the full page shows what sticks and what is fixed once, where it covers nothing", async () => {
    const style = `<style>*{margin:0}header{position:sticky;top:0;height:50px;background:#ff0000}section{height:900px;
      background:#0000ff}.bar{position:fixed;bottom:0;width:100%;height:40px;background:#000}
      .note{position:sticky;bottom:0;height:30px;background:#00ff00}</style>`;
    const page = htmlPage(
      `<header></header><section></section><section></section><div class=note></div><div class=bar></div>`,
      style,
    );
    const { body } = await take(page, { fullPage: true, viewport: { width: 300, height: 500 } });
    const pixels = decodePng((await download(body.data.screenshot)).bytes);
    expect(pixels.height).toBe(1880);
    const heights = [25, 60, 470, 495, 945, 1400, 1845, 1870];
    const [red, blue, black] = ["#ff0000", "#0000ff", "#000000"];
    expect(heights.map((y) => pixels.at(150, y))).toEqual([red, blue, blue, blue, blue, blue, black, black]);
  });

  test("of a page without end is cut, says so, and is right to its last row", async () => {
    const bands = Array.from(
      { length: 100 },
      (_, index) => `<div style="height:1000px;background:rgb(${index},${index * 2},200)"></div>`,
    );
    const endless = htmlPage(bands.join(""), "<style>body{margin:0}</style>");
    const { body } = await take(endless, { fullPage: true, viewport: { width: 200, height: 300 } });
    expect(body.data.warning).toContain("the screenshot ends before the page does");
    const pixels = decodePng((await download(body.data.screenshot)).bytes);
    expect([pixels.width, pixels.height]).toEqual([200, 30_000]);
    for (const band of [0, 9, 17, 29]) {
      const colour = [band, band * 2, 200].map((part) => part.toString(16).padStart(2, "0")).join("");
      expect(pixels.at(100, band * 1000 + 500)).toBe(`#${colour}`);
    }
  });

  test("has exactly the requested viewport; the full page keeps its width", async () => {
    const viewport = { width: 641, height: 363 };
    const pixels = decodePng((await download((await take(high, { viewport })).body.data.screenshot)).bytes);
    expect([pixels.width, pixels.height]).toEqual([641, 363]);
    const full = await take(high, { viewport, fullPage: true });
    const whole = decodePng((await download(full.body.data.screenshot)).bytes);
    expect([whole.width, whole.height]).toEqual([641, 4100]);
  });

  test("with a quality is a JPEG", async () => {
    const small = await download((await take(text, { quality: 10 })).body.data.screenshot);
    const large = await download((await take(text, { quality: 100 })).body.data.screenshot);
    expect(small.type).toBe("image/jpeg");
    expect([...small.bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(large.bytes.byteLength).toBeGreaterThan(small.bytes.byteLength);
  });

  test("of a phone is as sharp as its screen", async () => {
    const { body } = await take(
      htmlPage("<p>x", `<meta name="viewport" content="width=device-width">`),
      {},
      { mobile: true },
    );
    const pixels = decodePng((await download(body.data.screenshot)).bytes);
    expect([pixels.width, pixels.height]).toEqual([1082, 2402]);
  });

  test("comes from the cache like the page", async () => {
    const path = "/cached";
    const first = await take(text, {}, { path });
    const again = await take(text, {}, { path });
    expect(again.body.data.metadata.cacheState).toBe("hit");
    const [one, two] = [
      await download(first.body.data.screenshot),
      await download(again.body.data.screenshot),
    ];
    expect(Buffer.from(two.bytes).equals(Buffer.from(one.bytes))).toBe(true);
    const full = await take(text, { fullPage: true }, { path });
    expect(full.body.data.metadata.cacheState).toBe("miss");
    const withQuality = await take(text, { quality: 50 }, { path });
    expect(withQuality.body.data.metadata).not.toHaveProperty("cacheState");
  });

  test("is in the kept answer, too", async () => {
    const { body } = await take(text, { quality: 60 });
    const kept = await world.get(`/v2/scrape/${body.data.metadata.scrapeId}`);
    expect((await download(kept.body.data.screenshot)).type).toBe("image/jpeg");
  });

  test("is taken after the actions; actions take their own", async () => {
    const page = htmlPage(
      `<body style="background:#ffffff"><button id="b" onclick="document.body.style.background='#00ff00'">x`,
    );
    const shot = { type: "screenshot" };
    const viewport = { width: 300, height: 200 };
    const { body } = await take(
      page,
      {},
      {
        actions: [
          shot,
          { type: "click", selector: "#b" },
          { ...shot, viewport },
          { ...shot, fullPage: true, quality: 5 },
        ],
      },
    );
    const { screenshots = [] } = body.data.actions ?? {};
    const [before, small, full] = await Promise.all(screenshots.map(download));
    const corner = (bytes: Uint8Array | undefined) => {
      const { width, height, at } = decodePng(bytes ?? new Uint8Array());
      return [width, height, at(width - 1, height - 1)];
    };
    expect(corner(before?.bytes)).toEqual([1920, 1080, "#ffffff"]);
    expect(corner(small?.bytes)).toEqual([300, 200, "#00ff00"]);
    expect(full?.type).toBe("image/jpeg");
    expect(corner((await download(body.data.screenshot)).bytes)).toEqual([1920, 1080, "#00ff00"]);
  });
});

test("a link that was changed, or whose time is over, opens nothing", async () => {
  const { body } = await take(text);
  const link = new URL(body.data.screenshot ?? "");
  link.searchParams.set("expires", String(Date.now() + 10 ** 10));
  expect((await fetch(link)).status).toBe(404);
  link.searchParams.delete("signature");
  expect((await fetch(link)).status).toBe(404);
});

describe("F8 the screenshot of a cached page", () => {
  const day = 24 * 3_600_000;

  async function ageBy(ms: number): Promise<void> {
    const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
    await database.prepared("UPDATE captures SET stored_at = stored_at - ?").run(ms);
    await database.close();
  }

  test("has one link, which ends a day after the page was stored", async () => {
    const first = await take(text, {}, { path: "/one-link" });
    const hits = [await take(text, {}, { path: "/one-link" }), await take(text, {}, { path: "/one-link" })];
    expect(hits.map(({ body }) => body.data.metadata.cacheState)).toEqual(["hit", "hit"]);
    expect(hits.map(({ body }) => body.data.screenshot)).toEqual(Array(2).fill(first.body.data.screenshot));
    const cachedAt = hits[0]?.body.data.metadata.cachedAt ?? "";
    const expires = Number(new URL(first.body.data.screenshot ?? "").searchParams.get("expires"));
    expect(expires).toBe(Date.parse(cachedAt) + day);
    const { scrapeId } = first.body.data.metadata;
    await world.app.services.records.flush();
    const recalled = await world.get(`/v2/scrape/${scrapeId}`);
    expect(recalled.body.data.screenshot).toBe(first.body.data.screenshot);
  });

  test("is fetched again after a day, and a miss where nothing may be fetched", async () => {
    const path = "/day-old";
    const url = world.site.url(path);
    const formats = ["screenshot"];
    const first = await take(text, {}, { path });
    await ageBy(day);
    const aged = await world.scrape({ url, formats, minAge: 1 });
    expect(aged.body).toMatchObject({ success: false, code: "SCRAPE_NO_CACHED_DATA" });
    const locked = await world.scrape({ url, formats, lockdown: true });
    expect(locked.body).toMatchObject({ success: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" });
    const plain = await world.scrape({ url, minAge: 1 });
    expect(plain.body.data.metadata.cacheState).toBe("hit");
    const again = await take(text, {}, { path });
    expect(again.body.data.metadata.cacheState).toBe("miss");
    expect(again.body.data.screenshot).not.toBe(first.body.data.screenshot);
    await download(again.body.data.screenshot);
  });
});
