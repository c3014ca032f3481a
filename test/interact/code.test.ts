import { beforeAll, describe, expect, test } from "vitest";

import { decideLevel } from "../../packages/server/src/sandbox/code-level.ts";
import { openSandbox } from "../../packages/server/src/sandbox/open-sandbox.ts";
import { KEYED, makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { useWorld } from "../use-world.ts";
import { ask, type SessionAnswer } from "./session-client.ts";

const auto = await decideLevel("auto", openSandbox);
if (auto.name !== "box") console.warn(`NOT TESTED: code of sessions in boxes. ${auto.reason}`);

describe.each([
  ["auto", auto.name, auto.name === "box" ? "" : `${auto.reason}. ${auto.remedy}`],
  ["wasm", "wasm", "INTERACT_CODE is wasm. Set INTERACT_CODE to auto."],
  ["off", "off", "INTERACT_CODE is off. Set INTERACT_CODE to auto."],
] as const)("code with INTERACT_CODE=%s, which is level %s here", (wanted, level, reason) => {
  const world = useWorld({ ...KEYED, INTERACT_CODE: wanted });
  let team: TestTeam;
  let url: string;

  beforeAll(async () => {
    team = await makeTeam(world, { credits: 100 });
    url = world.site.page(
      "/shop",
      htmlPage(`<h1>Shop</h1><p id="seen">0</p><button onclick="seen.textContent++">More</button>`),
    );
  });

  async function scrape(): Promise<string> {
    return (await team.scrape({ url })).body.data.metadata.scrapeId;
  }

  function interact(id: string, body: object): Promise<SessionAnswer> {
    return ask(world, `POST /v2/scrape/${id}/interact`, body, team.headers);
  }

  function stop(id: string): Promise<SessionAnswer> {
    return ask(world, `DELETE /v2/scrape/${id}/interact`, undefined, team.headers);
  }

  async function openSessions(): Promise<readonly string[]> {
    const [, { sessions }] = await ask(world, "GET /v2/browser?status=active", undefined, team.headers);
    return sessions.map(({ id }) => id);
  }

  describe.runIf(level !== "off")("in JavaScript", () => {
    test("A58: runs on the page, and finds it and its own variables as the call before left them", async () => {
      const id = await scrape();
      const [status, first] = await interact(id, {
        code: `await page.click("button"); let count = 1; console.log("clicked"); await page.title()`,
      });
      expect([status, first]).toMatchObject([200, { success: true, stdout: "clicked\n", exitCode: 0 }]);
      const [, second] = await interact(id, {
        code: `count += 1; [count, await page.textContent("#seen"), page.url()]`,
      });
      expect(second).toMatchObject({ success: true, result: JSON.stringify([2, "1", url]) });
      expect(second.sessionId).toBe(first.sessionId);
      expect((await stop(id))[1].creditsBilled).toBe(2);
    });

    // How runners differ is for their own suites: here, what the service makes of it.
    test.runIf(wanted === "auto")(
      "that throws is answered with 200, what it threw and success: false",
      async () => {
        const [, { id }] = await ask(world, "POST /v2/browser", {}, team.headers);
        const code = `throw new Error("not today")`;
        const [status, answer] = await ask(world, `POST /v2/browser/${id}/execute`, { code }, team.headers);
        expect([status, answer]).toMatchObject([200, { success: true, error: "not today", exitCode: 1 }]);
        await ask(world, `DELETE /v2/browser/${id}`, undefined, team.headers);
        const scraped = await scrape();
        expect((await interact(scraped, { code }))[1]).toMatchObject({ success: false, error: "not today" });
        await stop(scraped);
      },
    );

    test("whose time is over is killed, and the page goes on", async () => {
      const id = await scrape();
      await interact(id, { code: `await page.click("button")` });
      const [, killed] = await interact(id, { code: "for (;;) {}", timeout: 1 });
      expect(killed).toMatchObject({ success: false, killed: true });
      expect((await interact(id, { code: `await page.textContent("#seen")` }))[1].result).toBe("1");
      await stop(id);
    });

    test.runIf(wanted === "auto").each([
      ["a page that never loads", () => `await page.goto("${world.site.url("/never")}", { timeout: 0 })`],
      ["dialogs without end", () => `await page.evaluate(() => { for (;;) alert("again"); })`],
      ["a script without end", () => `await page.evaluate(() => { for (;;); })`],
    ])(
      "that is killed while its page is busy with %s leaves a page that can be used",
      async (_what, code) => {
        world.site.page("/never", () => undefined);
        const id = await scrape();
        await interact(id, { code: "1" });
        expect((await interact(id, { code: code(), timeout: 2 }))[1]).toMatchObject({ killed: true });
        const next = "const fresh = await context.newPage(); [await fresh.evaluate(() => 6 * 7), page.url()]";
        const [, answer] = await interact(id, { code: next, timeout: 20 });
        expect(answer).toMatchObject({ success: true, result: JSON.stringify([42, url]) });
        await stop(id);
      },
    );

    test("A58: agent-browser, line by line", async () => {
      const id = await scrape();
      const code = 'agent-browser click button && agent-browser get text "#seen"';
      const [status, answer] = await interact(id, { code, language: "bash" });
      expect([status, answer]).toMatchObject([200, { success: true, exitCode: 0 }]);
      expect(answer.stdout).toMatch(/^1$/m);
      await stop(id);
    });
  });

  test.runIf(level === "box").each([
    ["bash", 'agent-browser get text "#seen"; echo done', /^0\ndone\n$/],
    ["python", `print(await page.title(), await page.text_content("#seen"))`, /0\n$/],
  ] as const)("A58: in %s", async (language, code, stdout) => {
    const id = await scrape();
    const [status, answer] = await interact(id, { code, language });
    expect([status, answer]).toMatchObject([200, { success: true, exitCode: 0 }]);
    expect(answer.stdout).toMatch(stdout);
    await stop(id);
  });

  test
    .runIf(level !== "box")
    .each([
      { language: "python", code: "print(1)" },
      { language: "bash", code: "echo 1" },
      ...(level === "off" ? [{ language: "node", code: "1 + 1" }] : []),
    ])(
    "what cannot be run ($language) is refused with the reason, and nothing is opened for it",
    async (code) => {
      const id = await scrape();
      const [before, openBefore] = [await team.remaining(), await openSessions()];
      const [status, { error }] = await interact(id, code);
      expect([status, error]).toEqual([503, expect.stringContaining(reason)]);
      expect(await openSessions()).toEqual(openBefore);
      expect(await team.remaining()).toBe(before);
      expect((await stop(id))[0]).toBe(404);
      const [, { id: own }] = await ask(world, "POST /v2/browser", {}, team.headers);
      expect((await ask(world, `POST /v2/browser/${own}/execute`, code, team.headers))[0]).toBe(503);
      await ask(world, `DELETE /v2/browser/${own}`, undefined, team.headers);
    },
  );
});
