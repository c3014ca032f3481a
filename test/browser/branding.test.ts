import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import type { ScrapeData } from "../../packages/server/src/scrape/answer/schema.ts";
import {
  type ModelDouble,
  startModelDouble,
} from "../../packages/server/src/storage/models/model-double.suite.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

/** What a model hears of the page; it is asked by every page of these tests. */
const VOICE = {
  voice: "Plain and friendly.",
  emojiUsage: "none",
  targetAudience: "People who buy things.",
  energy: "low",
  tone: "traditional",
};

let double: ModelDouble;
let world: World;
let count = 0;

beforeAll(async () => {
  double = await startModelDouble("openai", [{ say: { text: JSON.stringify(VOICE) } }]);
  world = await openWorld({ LLM_BASE_URL: double.url, LLM_MODEL: "double" });
});

type Branding = NonNullable<ScrapeData["branding"]>;

async function brandOf(body: string, head = ""): Promise<Branding> {
  count += 1;
  const url = world.site.page(`/brand-${count}`, htmlPage(body, head));
  const answer = await world.scrape({ url, formats: ["branding"] });
  const { branding } = answer.body.data;
  if (!branding) throw new Error(`There is no branding: ${JSON.stringify(answer.body)}`);
  return branding;
}

const WORDS = "Words of the shop that people read. ".repeat(30);
const HEADER = `<header style="height:60px"><a href="/"><img src="/logo.svg" alt="Acme logo" width="120" height="40"></a></header>`;
const MAIN = `<main><h1>Buy things</h1><p>${WORDS}</p><a class="b" href="/buy">Buy now</a></main>`;
const STYLE = `<style>body { margin: 0; background: #fff; color: #222; font: 400 16px/1.5 Georgia, serif }
  h1 { font: 700 40px Verdana } .b { background: #c2410c; color: #fff; border-radius: 8px; padding: 8px 16px; display: inline-block }</style>`;

test("A brand is told: colours, fonts, sizes, components and pictures", async () => {
  const branding = await brandOf(HEADER + MAIN, `${STYLE}<link rel="icon" href="/icon.png">`);
  expect(branding).toMatchObject({
    colorScheme: "light",
    brandName: "Acme",
    logo: world.site.url("/logo.svg"),
    colors: { primary: "#C2410C", background: "#FFFFFF", textPrimary: "#222222" },
    fonts: [{ family: "Georgia" }, { family: "Verdana" }],
    typography: {
      fontFamilies: { primary: "Georgia", heading: "Verdana" },
      fontStacks: { primary: ["Georgia", "serif"] },
      fontSizes: { h1: "40px", body: "16px" },
      fontWeights: { regular: 400, heading: 700, bold: 700 },
      lineHeights: { body: 1.5 },
    },
    components: { buttonPrimary: { background: "#C2410C", textColor: "#FFFFFF", borderRadius: "8px" } },
    images: { logo: world.site.url("/logo.svg"), favicon: world.site.url("/icon.png") },
    layout: { headerHeight: "60px" },
  });
});

test("how a brand speaks is told by a model", async () => {
  const { voice, emojiUsage, ...personality } = VOICE;
  const url = world.site.page("/voice", htmlPage(HEADER + MAIN, STYLE));
  const { body } = await world.scrape({ url, formats: ["branding"] });
  expect(body).toMatchObject({ data: { branding: { tone: { voice, emojiUsage }, personality } } });
  expect(body.data.metadata.answeredBy).toEqual(["branding: double"]);
});

describe("what measures leave open is decided by a model, among what they leave", () => {
  const logos = ["/one.svg", "/two.svg", "/three.svg"].map(
    (src) => `<a href="/"><img src="${src}" alt="" width="120" height="40"></a>`,
  );
  const [one, two, three] = ["#AA0000", "#00AA00", "#0000AA"].map(
    (color) => `<p><a class="b" style="background:${color}" href="/x">Buy now</a></p>`,
  );
  const body = `<header style="height:60px">${logos.join("")}</header><main><h1>Things</h1><p>${WORDS}</p>${one}${two}${three}</main>`;

  test.each([
    [{ logo: 1, primaryColor: 2 }, "/two.svg", "#0000AA"],
    [{ logo: 99, primaryColor: -1 }, "/one.svg", "#AA0000"],
    [{ logo: "https://evil.test/logo.svg", primaryColor: "#123456" }, "/one.svg", "#AA0000"],
    [{}, "/one.svg", "#AA0000"],
  ])("%j", async (choice, logo, primary) => {
    const deciding = await startModelDouble("openai", [
      { say: { text: JSON.stringify({ ...VOICE, ...choice }) } },
    ]);
    const other = await openWorld({ LLM_BASE_URL: deciding.url, LLM_MODEL: "double" });
    try {
      const url = other.site.page("/ties", htmlPage(body, STYLE));
      const answer = await other.scrape({ url, formats: ["branding"] });
      expect(answer.body.data).toMatchObject({
        branding: { logo: other.site.url(logo), colors: { primary }, tone: { voice: VOICE.voice } },
        metadata: { answeredBy: ["branding: double"], creditsUsed: 1 },
      });
      expect(deciding.requests[0]?.body).toContain("One of these images is the logo.");
    } finally {
      await other.close();
      deciding.close();
    }
  });

  test("is not asked where it is clear", async () => {
    await brandOf(HEADER + MAIN, STYLE);
    expect(double.requests.at(-1)?.body).not.toMatch(/is the logo\.|is the main one\./);
  });
});

describe("traps", () => {
  test("a gradient is its first colour", async () => {
    const { colors } = await brandOf(
      HEADER + MAIN,
      `${STYLE}<style>.b { background: linear-gradient(90deg, #123abc, #fff) }</style>`,
    );
    expect(colors.primary).toBe("#123ABC");
  });

  test("variables, and colours that are not RGB, are what is painted", async () => {
    const { colors } = await brandOf(
      HEADER + MAIN,
      `${STYLE}<style>:root { --c: oklch(0.628 0.2577 29.23) } .b { background: var(--c) } body { color: rgb(0 0 0 / 0.8) }</style>`,
    );
    expect(colors).toMatchObject({ primary: "#FF0000", textPrimary: "#333333" });
  });

  test("shadow roots count", async () => {
    const { colors, fonts } = await brandOf(
      `<div id="host"></div><script>document.getElementById("host").attachShadow({ mode: "open" }).innerHTML =
        '<style>p { color: #225577; font-family: Tahoma } button { background: #117733; color: #fff; border: 0; padding: 10px 20px }</style><p>${WORDS}</p><button>Order</button>'</script>`,
    );
    expect(colors).toMatchObject({ primary: "#117733", textPrimary: "#225577" });
    expect(fonts[0]).toEqual({ family: "Tahoma" });
  });

  test("a page that switches to dark by itself is dark", async () => {
    const dark = await brandOf(
      `${HEADER}${MAIN}<script>document.documentElement.dataset.theme = "dark"</script>`,
      `${STYLE}<style>[data-theme=dark] body { background: #0b0f14; color: #e6edf3 }</style>`,
    );
    expect(dark).toMatchObject({
      colorScheme: "dark",
      colors: { background: "#0B0F14", textPrimary: "#E6EDF3" },
    });
  });

  test.each([
    ["that covers the page", "position:fixed;inset:0", ""],
    ["at the top", "position:fixed;top:0;left:0;right:0;height:80px", ""],
    [
      "that is a dialog",
      "position:absolute;top:0;left:0;width:100%;height:900px;z-index:99",
      `role="dialog"`,
    ],
  ])("what floats above the page is not its look: a wall %s", async (_which, style, attributes) => {
    const wall = `<div ${attributes} style="${style};background:#00ff00"><p style="color:#ff00ff">May we?</p><button style="background:#ff00ff;color:#000;padding:20px 80px">Agree</button></div>`;
    const { colors } = await brandOf(`${HEADER}${MAIN}<p>${WORDS}</p>${wall}`, STYLE);
    expect(colors).toMatchObject({ primary: "#C2410C", background: "#FFFFFF", textPrimary: "#222222" });
  });

  test("a header that stays in place is the page's own", async () => {
    const fixed = HEADER.replace(
      "height:60px",
      "height:60px;position:fixed;top:0;left:0;right:0;background:#003b73",
    );
    const { logo, colors } = await brandOf(fixed + MAIN, STYLE);
    expect(logo).toBe(world.site.url("/logo.svg"));
    expect(colors.secondary).toBe("#003B73");
  });

  test("frames belong to others", async () => {
    const frame = `<iframe srcdoc="<body style='background:#0000ff'><button style='background:#00ffff;padding:20px'>Win</button>" width="1200" height="800"></iframe>`;
    const { colors } = await brandOf(HEADER + MAIN + frame, STYLE);
    expect(colors).toMatchObject({ primary: "#C2410C", background: "#FFFFFF" });
  });

  test("names of classes tell nothing", async () => {
    const { logo, colors } = await brandOf(
      `${HEADER}<main><img class="logo brand" src="/photo.jpg" width="300" height="200"><div class="btn btn-primary" style="background:#00f;width:50px;height:30px"></div><h1>Hi</h1><p>${WORDS}</p><a class="b" href="/x">Buy now</a></main>`,
      STYLE,
    );
    expect(logo).toBe(world.site.url("/logo.svg"));
    expect(colors.primary).toBe("#C2410C");
  });

  test("names that build tools give to fonts are told as people know them", async () => {
    const style = `<style>body { font-family: __DM_Sans_d65c78, __DM_Sans_Fallback_d65c78, sans-serif }</style>`;
    const { typography } = await brandOf(`<p>${WORDS}</p>`, style);
    expect(typography.fontFamilies.primary).toBe("DM Sans");
  });

  test("a logo drawn in the page is a picture of its own", async () => {
    const svg = `<svg width="120" height="32"><rect width="120" height="32" fill="#888"/></svg>`;
    const { logo } = await brandOf(`<header><a href="/" aria-label="Acme">${svg}</a></header>${MAIN}`, STYLE);
    expect(decodeURIComponent(logo ?? "")).toContain(
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"',
    );
  });

  test("an empty page and one of 50,000 elements are answered", async () => {
    expect((await brandOf("")).colors).toEqual({ background: "#FFFFFF" });
    expect((await brandOf("<p class=b>x</p>".repeat(50_000), STYLE)).colorScheme).toBe("light");
  });
});

test("a style sheet of megabytes, endless names of fonts, gradients and drawings do no harm", async () => {
  const rules = Array.from(
    { length: 40_000 },
    (_, index) => `.c${index} .d { color: #${(index % 900) + 100} }`,
  );
  const stops = Array.from({ length: 5000 }, (_, index) => `rgb(${index % 256}, 0, 0)`).join(",");
  const style = `${STYLE}<style>${rules.join("\n")} h2 { font-family: ${"Aa-".repeat(30_000)} } .g { background: linear-gradient(${stops}) }</style>`;
  const drawing = `<svg width="100" height="40">${"<rect width='1' height='1'/>".repeat(5000)}</svg>`;
  const branding = await brandOf(
    `${HEADER}${MAIN}<h2>Second</h2><p class="g">${"(".repeat(100_000)}</p>${drawing}`,
    style,
  );
  expect(branding).toMatchObject({ colors: { primary: "#C2410C" }, logo: world.site.url("/logo.svg") });
});

test("what no browser shows has no branding", async () => {
  const url = world.site.page("/data.json", (_request, response) => {
    response.writeHead(200, { "content-type": "application/zip" }).end("PK\u0003\u0004");
  });
  const { status, body } = await world.scrape({ url, formats: ["branding"] });
  expect(status).toBe(500);
  expect(body.code).toMatch(/SCRAPE_(?:UNSUPPORTED_FILE_ERROR|BRANDING_NOT_SUPPORTED)/);
});

test("the official client reads it", async () => {
  const url = world.site.page("/client", htmlPage(HEADER + MAIN, STYLE));
  const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-any" });
  const { branding } = await client.scrape(url, { formats: ["branding"] });
  expect(branding).toMatchObject({ colorScheme: "light", colors: { primary: "#C2410C" } });
});
