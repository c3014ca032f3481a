import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../../packages/kit/src/test-folder.suite.ts";
import { makeTeam, type SoakService, startSoakService } from "../service-process.ts";
import { Resources } from "../../packages/kit/src/resources.ts";
import { testBrowserPath } from "../../packages/browser/src/browser.suite.ts";
import { build, builtProgram } from "../built.ts";
import { htmlPage, openSite } from "../site.ts";
import { ask, type SessionAnswer } from "./session-client.ts";
import { withoutNamespaces } from "./without-namespaces.ts";

/** The service as it comes, with `INTERACT_CODE` as it is without being set. */
describe.runIf(process.platform === "linux")("on a machine that lets nobody make a box", () => {
  const resources = new Resources();
  let service: SoakService;
  let headers: Readonly<Record<string, string>>;
  let id: string;

  const execute = (code: string, language: string): Promise<SessionAnswer> =>
    ask({ baseUrl: service.url }, `POST /v2/browser/${id}/execute`, { code, language }, headers);

  beforeAll(async () => {
    await build();
    const dataDir = testFolder();
    const settings = testBrowserPath === undefined ? {} : { BROWSER_PATH: testBrowserPath };
    const launcher = withoutNamespaces();
    service = resources.add(
      await startSoakService({ command: builtProgram, dataDir, launcher, settings }),
      (started) => started.stop(),
    );
    const { apiKey } = await makeTeam(service.url, { name: "team" });
    headers = { authorization: `Bearer ${apiKey}` };
    const [, opened] = await ask({ baseUrl: service.url }, "POST /v2/browser", {}, headers);
    ({ id } = opened);
  }, 120_000);

  afterAll(() => resources.close());

  test("JavaScript runs on pages, and keeps what it knows", async () => {
    const site = resources.add(await openSite(), (opened) => opened.close());
    const url = site.page("/", htmlPage("<h1>Shop</h1>"));
    const [status, first] = await execute(
      `await page.goto("${url}"); let seen = 6; await page.textContent("h1")`,
      "node",
    );
    expect([status, first]).toMatchObject([200, { success: true, result: "Shop", exitCode: 0 }]);
    expect((await execute("seen * 7", "node"))[1].result).toBe("42");
    const [, printed] = await execute('console.log("only printed")', "node");
    expect(printed).toMatchObject({ success: true, stdout: "only printed\n" });
    expect(printed).not.toHaveProperty("result");
  });

  test("lines of agent-browser run", async () => {
    const [status, answer] = await execute("agent-browser get url", "bash");
    expect([status, answer]).toMatchObject([200, { success: true, exitCode: 0 }]);
  });

  test.each([
    ["python", "print(1)", /^Python requires a sandbox, which is not available: /],
    ["bash", "echo 1", /^A shell requires a sandbox, which is not available .*: /],
  ])(
    "%s is refused with the reason of every driver, and what would change it",
    async (language, code, words) => {
      const [status, { code: errorCode, error }] = await execute(code, language);
      expect([status, errorCode, error]).toEqual([503, "CODE_NOT_AVAILABLE", expect.stringMatching(words)]);
      expect(error).toMatch(/bubblewrap: .*; namespaces: /);
      expect(error).toMatch(/(?:Install bubblewrap|Allow user namespaces)/);
    },
  );
});
