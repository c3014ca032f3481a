import { lookAt } from "../../src/interact/prompt/look.ts";
import { Refs } from "../../src/interact/prompt/refs.ts";
import { startFixture } from "./fixture.ts";
import type { Figure } from "./report.ts";
import { findChromium, quantile, startSessionBrowser } from "./session-browsers.ts";

const ROWS = 180;
const LOOKS = 20;
const never = new AbortController().signal;

/** About 2,700 nodes, most of them in a list. */
const LARGE_PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1><nav><a href="/a">A</a><a href="/b">B</a></nav><ul>${Array.from(
  { length: ROWS },
  (_row, index) =>
    `<li><h2>Thing ${index}</h2><p>It is the best of its kind, as ${index} people say.</p><a href="/${index}">More of thing ${index}</a><button>Buy</button></li>`,
).join("")}</ul>`;

/** What a look at a large page costs this process: the browser's part is not counted. */
export async function benchLooks(): Promise<readonly Figure[]> {
  const site = await startFixture({ "/large": LARGE_PAGE });
  const session = await startSessionBrowser(await findChromium());
  try {
    const { tab } = session;
    await tab.navigate(`${site.url}/large`, never);
    const took: number[] = [];
    let text = "";
    for (let look = 0; look < LOOKS; look += 1) {
      const before = process.cpuUsage();
      ({ text } = await lookAt(tab, new Refs(), never));
      const { user, system } = process.cpuUsage(before);
      took.push((user + system) / 1000);
    }
    const { nodes } = await tab.session.send("Accessibility.getFullAXTree", {}, { signal: never });
    const [ms, kilobytes] = [quantile(took), Buffer.byteLength(text) / 1024];
    return [
      {
        name: `a look at a page of ${nodes.length} nodes, CPU of this process`,
        value: `${ms.toFixed(1)} ms (the first ${(took[0] ?? 0).toFixed(1)} ms)`,
        limit: "≤ 20 ms",
        isMet: ms <= 20,
      },
      {
        name: "its text",
        value: `${kilobytes.toFixed(1)} KB`,
        limit: "≤ 24 KB",
        isMet: kilobytes <= 24,
      },
    ];
  } finally {
    await Promise.all([session.close(), site.stop()]);
  }
}
