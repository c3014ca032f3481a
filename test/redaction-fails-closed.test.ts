import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { startProgramsFrom } from "../packages/kit/src/process/program-file.ts";
import { detectors } from "../packages/facts/src/redaction/detectors.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const SECRET_WORDS = "kim.park@shop.test";
const PARAGRAPH = `<p>Write to ${SECRET_WORDS}, who knows more about the shop.</p>`;

let world: World;
// What computes pages is broken here, which it can be in this process alone.
beforeAll(async () => {
  startProgramsFrom(undefined);
  world = await openWorld({}, undefined, "own");
});
afterEach(() => vi.restoreAllMocks());

const formats = [
  "markdown",
  "summary",
  { type: "query", prompt: "Who knows more?" },
  { type: "changeTracking", modes: ["git-diff"] },
];

/** Answers as text: nothing of what was to be redacted may be anywhere in them. */
async function scrape(url: string, options: object = {}) {
  const { status, body } = await world.scrape({ url, formats, redactPII: true, maxAge: 0, ...options });
  return { status, code: body.code, text: JSON.stringify(body) };
}

test("a page whose redaction fails is not answered", async () => {
  const url = world.site.page("/fails", htmlPage(`<main><h1>Contact</h1>${PARAGRAPH.repeat(3)}</main>`));
  expect((await scrape(url)).text).toContain("<EMAIL>");
  // Summaries and answers are of the main content, which is another Markdown then.
  const whole = await scrape(url, { onlyMainContent: false });
  expect(whole.text).toContain("<EMAIL>");
  expect(whole.text).not.toContain(SECRET_WORDS);
  for (const detector of detectors) {
    const broken = vi.spyOn(detector, "find").mockImplementation(() => {
      throw new Error(`No more memory for ${SECRET_WORDS}.`);
    });
    const { status, text } = await scrape(url);
    expect(broken).toHaveBeenCalled();
    expect([detector.entity, status]).toEqual([detector.entity, 500]);
    expect(text).not.toContain(SECRET_WORDS);
    broken.mockRestore();
  }
});

test("a page whose thread is ended by the deadline is not answered", async () => {
  const url = world.site.page("/large", htmlPage(`<main><h1>Contact</h1>${PARAGRAPH.repeat(60_000)}</main>`));
  const { status, code, text } = await scrape(url, { formats: ["markdown"], timeout: 1500 });
  expect([status, code]).toEqual([408, "SCRAPE_TIMEOUT"]);
  expect(text).not.toContain(SECRET_WORDS);
});
