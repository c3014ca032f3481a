import type { BrandEvidence } from "../../src/facts/branding/evidence.ts";
import { callInPage } from "../../src/platform/browser/tab/page-script.ts";
import type { BrowserTab } from "../../src/platform/browser/tab/tab.ts";
import { collectBrand } from "../../src/programs/brand.ts";
import { MAX_ELEMENTS } from "../../src/visit/stages/brand.ts";
import { startFixture } from "./fixture.ts";
import type { Figure } from "./report.ts";
import { findChromium, quantile, startSessionBrowser } from "./session-browsers.ts";

const ROUNDS = 15;
const MAX_MS = 60;
/** More elements than are looked at. */
const ROWS = 500;

const never = new AbortController().signal;

const STYLE = `body { font: 16px/1.5 Georgia; color: #222 } h1 { font: 700 40px Verdana }
  .b { background: linear-gradient(90deg, #c2410c, #fff); color: oklch(0.97 0.01 60); padding: 8px 16px; border-radius: 8px }
  .row { display: grid; grid-template-columns: 1fr 2fr 1fr; column-gap: 24px; background: rgb(0 0 0 / 0.05) }`;
const PAGE = `<!doctype html><title>Shop</title><style>${STYLE}</style><header><a href="/"><img alt="Shop" src="/logo.svg"></a></header><h1>Shop</h1>${Array.from(
  { length: ROWS },
  (_row, index) =>
    `<div class="row"><h2>Thing ${index}</h2><p>It is the best of its kind. <a href="/${index}">More</a></p><button class="b">Buy</button></div>`,
).join("")}`;

/** How long a page is asked how it looks, for the format that tells of its brand: one call into a page that is new. */
export async function brandFigures(): Promise<readonly Figure[]> {
  const site = await startFixture({ "/shop": PAGE });
  const session = await startSessionBrowser(await findChromium());
  try {
    const { tab } = session;
    await tab.session.send("Performance.enable", { timeDomain: "threadTicks" }, { signal: never });
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await tab.navigate(`${site.url}/shop?${round}`, never);
      const before = await threadMs(tab);
      const { texts } = await callInPage<BrandEvidence>(tab, collectBrand, [MAX_ELEMENTS], never);
      if (texts.length === 0) throw new Error("The page has no text.");
      took.push((await threadMs(tab)) - before);
    }
    const ms = quantile(took);
    return [
      {
        name: `page data: branding, one call into a page of ${4 * ROWS} elements and more, CPU of the page`,
        value: `${ms.toFixed(1)} ms (the fastest ${Math.min(...took).toFixed(1)} ms)`,
        limit: `≤ ${MAX_MS} ms`,
        isMet: ms <= MAX_MS,
      },
    ];
  } finally {
    await Promise.all([session.close(), site.stop()]);
  }
}

/** Processor time of the page's main thread so far: a busy machine changes it little. */
async function threadMs({ session }: BrowserTab): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics", undefined, { signal: never });
  return 1000 * (metrics.find(({ name }) => name === "ThreadTime")?.value ?? Number.NaN);
}
