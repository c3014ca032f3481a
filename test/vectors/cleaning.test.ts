import { describe, expect, test } from "vitest";

import { startModelDouble, type Step } from "../../packages/server/src/storage/models/model-double.suite.ts";
import { KEYED, makeTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { openWorld } from "../world.ts";

const TEXT = `<main><h1>The harbour</h1><p>The harbour of Elmstad was opened in 1874.</p>
  <p>Around 240 ships call every month.</p><p>Zeilpost: iedere week in uw bus!</p></main>`;
const WHOLE = [
  "# The harbour",
  "The harbour of Elmstad was opened in 1874.",
  "Around 240 ships call every month.",
  "Zeilpost: iedere week in uw bus!",
].join("\n\n");

const say = (value: unknown): Step => ({ say: { text: JSON.stringify(value) } });

async function cleaned(steps: readonly Step[], settings: object = {}, request: object = {}) {
  const double = await startModelDouble("google", steps);
  const world = await openWorld({
    ...KEYED,
    ...settings,
    LLM_BASE_URL: double.url,
    LLM_MODEL: "double",
    LLM_API: "google",
  });
  try {
    const team = await makeTeam(world, { credits: 20 });
    const url = world.site.page("/harbour", htmlPage(TEXT));
    const { body } = await team.scrape({ url, onlyCleanContent: true, ...request });
    return { ...body.data, calls: double.requests.length };
  } finally {
    await world.close();
    double.close();
  }
}

describe("A50 onlyCleanContent with a model", () => {
  test("leaves out the lines that it names, and nothing else, for no credits", async () => {
    const { markdown, warning, metadata } = await cleaned([say({ lines: [6, 99, -1] })]);
    expect(markdown).toBe(WHOLE.split("\n\n").slice(0, 3).join("\n\n"));
    expect(warning).toBeUndefined();
    expect(metadata).toMatchObject({ creditsUsed: 1 });
  });

  test.each<readonly [string, readonly Step[]]>([
    ["fails", [{ status: 500, body: "" }]],
    ["would leave out nearly everything", [say({ lines: [0, 2, 4, 6] })]],
    ["rephrases", [say({ markdown: "A harbour." })]],
  ])("that %s: rules clean", async (_name, steps) => {
    const { markdown, warning } = await cleaned(steps);
    expect(markdown).toBe(WHOLE);
    expect(warning).toBe("Content cleaning by the language model failed; it was cleaned without one.");
  });

  test("of a page that is longer than its answers keeps all lines", async () => {
    const long = { LLM_MAX_OUTPUT_TOKENS: "100" };
    const page = htmlPage(`${TEXT}<main><p>${"Ships carry timber. ".repeat(40)}</p></main>`);
    expect(page.length).toBeGreaterThan(400);
    const double = await startModelDouble("openai", [say({ lines: [0] })]);
    const world = await openWorld({ ...KEYED, ...long, LLM_BASE_URL: double.url, LLM_MODEL: "double" });
    try {
      const team = await makeTeam(world, { credits: 20 });
      const url = world.site.page("/long", page);
      const { body } = await team.scrape({ url, onlyCleanContent: true });
      expect(body.data.warning).toMatch(
        /^Content cleaning was skipped because the content is too long \(\d+ tokens\) for the model to return in full \(max output: 100 tokens\)\. The original markdown has been preserved\.$/,
      );
      expect(double.requests).toEqual([]);
    } finally {
      await world.close();
      double.close();
    }
  });

  test("is not asked with zero data retention", async () => {
    const { warning, calls } = await cleaned([say({ lines: [6] })], {}, { zeroDataRetention: true });
    expect(warning).toBe("onlyCleanContent is not supported with zero data retention.");
    expect(calls).toBe(0);
  });
});
