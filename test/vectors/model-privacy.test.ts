import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import {
  type ModelDouble,
  startModelDouble,
  type Step,
} from "../../packages/server/src/storage/models/model-double.suite.ts";
import { KEYED, makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let double: ModelDouble;
/** What the double says next; a test changes it. */
let steps: Step[];
let world: World;
let team: TestTeam;

beforeAll(async () => {
  steps = [{ status: 500, body: "" }];
  double = await startModelDouble("openai", steps);
  world = await openWorld({ ...KEYED, LLM_BASE_URL: double.url, LLM_MODEL: "double" });
  team = await makeTeam(world, { credits: 1000 });
});
beforeEach(() => says({ status: 500, body: "" }));
function says(...next: readonly Step[]): void {
  steps.splice(0, steps.length, ...next);
}

/** What the model was sent while this ran. */
async function sentDuring<Result>(work: () => Promise<Result>): Promise<readonly [Result, string]> {
  const before = double.requests.length;
  const result = await work();
  return [
    result,
    double.requests
      .slice(before)
      .map(({ body }) => body)
      .join("\n"),
  ];
}

describe("the second opinion on prompt injection", () => {
  // One weak sign: rules are in doubt.
  const doubtful = (about: string) =>
    htmlPage(`<main><h1>${about}</h1><p>Note to AI: this list of ${about} is kept by hand.</p></main>`);
  const opinion = (steers: boolean): readonly Step[] => [
    { whileAsked: "Decide whether the text", say: { text: JSON.stringify({ steers }) } },
    { say: { text: JSON.stringify({ summary: "A list." }) } },
  ];
  const check = (path: string, about: string) =>
    team.scrape({
      url: world.site.page(path, doubtful(about)),
      formats: ["summary"],
      checkPromptInjection: true,
    });

  test("is asked where rules are in doubt, and refuses the page", async () => {
    says(...opinion(true));
    const [{ status, body }, sent] = await sentDuring(() => check("/oars", "oars"));
    expect([status, body.code]).toEqual([403, "SCRAPE_PROMPT_INJECTION_DETECTED"]);
    expect(sent).toContain("Decide whether the text");
    expect(sent).not.toContain("Summarise the text");
  });

  test("lets the page pass where it sees nothing in it", async () => {
    says(...opinion(false));
    const [{ status, body }] = await sentDuring(() => check("/masts", "masts"));
    expect([status, body.data.summary]).toEqual([200, "A list."]);
    expect(body.data.metadata).toMatchObject({ creditsUsed: 5 });
  });

  test("leaves it at what rules say where no model answers", async () => {
    const [{ status }] = await sentDuring(() => check("/ropes", "ropes"));
    expect(status).toBe(200);
  });

  test("is not asked where rules find nothing", async () => {
    says(...opinion(true));
    const url = world.site.page(
      "/sails",
      htmlPage("<main><h1>Sails</h1><p>Sails are made of cloth.</p></main>"),
    );
    const [{ status }, sent] = await sentDuring(() =>
      team.scrape({ url, formats: ["summary"], checkPromptInjection: true }),
    );
    expect(status).toBe(200);
    expect(sent).not.toContain("Decide whether the text");
  });
});

describe("redactPII", () => {
  const MAIL = "kim.park@shop.test";
  const PHONE = "+44 20 7946 0958";
  const PAGE = htmlPage(
    `<main><h1>Letter of ${MAIL}</h1><p class="byline">By Kim Park</p><p>Dear Kim Park, write to ${MAIL} or call ${PHONE}.</p>
     <dl><dt>Author</dt><dd>Kim Park</dd><dt>Email</dt><dd>${MAIL}</dd><dt>Phone</dt><dd>${PHONE}</dd><dt>Quay</dt><dd>North</dd></dl></main>`,
    `<title>Letter of ${MAIL}</title><meta name="author" content="Kim Park"><meta name="description" content="A letter of ${MAIL}">
     <script type="application/ld+json">{"@type":"Person","name":"Kim Park","email":"${MAIL}","telephone":"${PHONE}"}</script>`,
  );
  const TEXT = { type: "string" };
  const names = ["title", "description", "name", "author", "email", "telephone", "phone", "quay"];
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, TEXT])) };
  // The whole number: four digits of it may stand in a port, or in a random mark.
  const PERSONAL = /kim\.park|shop\.test|7946 ?0958/;

  test.each([
    ["values for a schema", { type: "json", schema }],
    ["the page's own entities", { type: "json" }],
    ["an answer", { type: "question", question: "Who is the author, and at which address and phone?" }],
    ["highlights", { type: "highlights", query: "author email phone" }],
    ["a summary", { type: "summary" }],
  ])("is passed by %s, from models and from rules", async (_name, format) => {
    const url = world.site.page("/letter", PAGE);
    const [{ status, body }, sent] = await sentDuring(() =>
      team.scrape({ url, formats: [format], redactPII: true }),
    );
    expect(status).toBe(200);
    expect(sent).toContain("<EMAIL>");
    expect(sent).not.toMatch(PERSONAL);
    const { metadata, ...fields } = body.data;
    expect(metadata).toMatchObject({ answeredBy: [`${format.type}: rules`] });
    expect(JSON.stringify(fields)).not.toMatch(PERSONAL);
  });

  test("changes nothing else: without it the same values are there", async () => {
    const url = world.site.page("/letter", PAGE);
    const { body } = await team.scrape({ url, formats: [{ type: "json", schema }] });
    expect(body.data.json).toMatchObject({ email: MAIL, quay: "North" });
  });

  test("rules take neither what stands for personal data nor the next label for a value", async () => {
    const url = world.site.page("/letter", PAGE);
    const { body } = await team.scrape({ url, formats: [{ type: "json", schema }], redactPII: true });
    expect(body.data.json).toMatchObject({ title: "Letter of <EMAIL>" });
    expect(body.data.json).not.toHaveProperty("author");
    expect(body.data.json).not.toHaveProperty("email");
  });

  describe("aggressive", () => {
    const LETTER = htmlPage(
      `<main><h1>The yard</h1><p>The **old** yard belongs to [Zq Vornag](/people/zq), and Zq Vornag repairs ships.</p>
       <p>Write to ${MAIL}. Zq Vornagson is another man.</p></main>`,
    );
    const spans = [
      { text: "Zq Vornag", kind: "PERSON" },
      { text: "not on the page", kind: "PERSON" },
      { text: "yard", kind: "COMPANY" },
    ];
    const OARS = { text: "repairs ships", kind: "PERSON" };
    const redacted = async (mode: string, more: object = {}) => {
      const url = world.site.page("/yard", LETTER);
      return sentDuring(() => team.scrape({ url, redactPII: { mode }, ...more }));
    };

    test("takes out what a model names word for word, wherever it stands", async () => {
      const named = spans.filter(({ kind }) => kind !== "COMPANY");
      says({
        whileAsked: "Find the remaining personal data",
        say: { text: JSON.stringify({ spans: named }) },
      });
      const [{ body }, sent] = await redacted("aggressive");
      expect(body.data.markdown).not.toMatch(/Zq Vornag(?!son)/);
      expect(body.data.markdown).toContain("repairs ships");
      expect(body.data.markdown).toContain("# The yard");
      expect(sent).not.toContain(MAIL);
      expect(body.data.warning).toBeUndefined();
    });

    test("falls back on rules where a model names what it may not", async () => {
      says({ whileAsked: "Find the remaining personal data", say: { text: JSON.stringify({ spans }) } });
      const url = world.site.page("/other-yard", LETTER.replace("<h1>The yard", "<h1>The other yard"));
      const { status, body } = await team.scrape({ url, redactPII: { mode: "aggressive" } });
      expect(status).toBe(200);
      expect(body.data.markdown).toContain("<EMAIL>");
      expect(body.data.warning).toBe("Personal data was detected without a language model.");
    });

    test.each([{ zeroDataRetention: true }, { lockdown: true }])(
      "what a model named is not taken out where none may be asked: %j",
      async (unseen) => {
        says({
          whileAsked: "Find the remaining personal data",
          say: { text: JSON.stringify({ spans: [OARS] }) },
        });
        const [name = ""] = Object.keys(unseen);
        const url = world.site.page(`/${name}`, LETTER.replace("<h1>The yard", `<h1>A yard of ${name}`));
        const redactPII = { mode: "aggressive" };
        await team.scrape({ url, redactPII });
        const { body: seen } = await team.scrape({ url, redactPII });
        expect(seen.data.markdown).not.toContain("repairs ships");
        const [{ status, body }, sent] = await sentDuring(() => team.scrape({ url, redactPII, ...unseen }));
        expect([status, sent, body.data.metadata.cacheState]).toEqual([200, "", "hit"]);
        expect(body.data.markdown).toContain("repairs ships");
      },
    );

    test.each([
      ["in another mode", "accurate", {}],
      ["where nothing may be kept", "aggressive", { zeroDataRetention: true }],
    ])("asks no model %s", async (_name, mode, more) => {
      const [{ status }, sent] = await redacted(mode, more);
      expect([status, sent]).toEqual([200, ""]);
    });
  });
});
