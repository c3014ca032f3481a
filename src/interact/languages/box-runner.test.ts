import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openedSessions, openTestSession } from "../../platform/browser/session-browser.suite.ts";
import type { SessionBrowser } from "../../platform/browser/session-browser.ts";
import { openBoxEquipment, type OpenedEquipment } from "./box-equipment.ts";
import { BoxRunner } from "./box-runner.ts";
import { SpareBox } from "./spare-box.ts";
import { never, run, sandboxesHere } from "./runners.suite.ts";
import { WarmBox } from "./warm-box.ts";

const PAGE = `<title>Shop</title><h1>Hello</h1><a href="/two">Next</a><input aria-label="Name">`;

const site = createServer((_request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(PAGE);
});
let origin = "";
let browser: SessionBrowser;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  browser = await openTestSession();
});
afterAll(async () => {
  await openedSessions.close();
  site.close();
});

describe.each(await sandboxesHere())("code in a box by %s", (_name, { sandbox }) => {
  let equipment: OpenedEquipment;
  let spare: SpareBox;
  let runner: BoxRunner;

  beforeAll(async () => {
    if (!sandbox) throw new Error("no sandbox");
    equipment = await openBoxEquipment(sandbox);
    spare = new SpareBox(
      () => WarmBox.start(equipment),
      (failure) => console.error(failure),
    );
    runner = new BoxRunner(browser.confined, () => spare.take());
  });
  afterAll(async () => {
    await runner.close();
    await spare.close();
    await equipment.folder.remove();
  });

  test("drives the page of the session", async () => {
    const code = `await page.goto(${JSON.stringify(origin)}); console.log(await page.textContent("h1")); await page.title()`;
    expect(await run(runner, code)).toEqual({
      stdout: "Hello\n",
      stderr: "",
      result: "Shop",
      exitCode: 0,
      killed: false,
      truncated: false,
    });
  });

  test.each([
    ["1+1", "2"],
    ["({ a: 1 })", '{"a":1}'],
    ["{ a: 1 }", '{"a":1}'],
    ["'text'", "text"],
    ["undefined", ""],
    ["null", "null"],
    ["let a = 2; const { b, c: [d] } = { b: 3, c: [4] }; a + b + d", "9"],
    ["return 'early'; 'late'", "early"],
    ["async function later() { return 5 } await later()", "5"],
    ["if (true) { 1 }", ""],
    ["const crypto = require('crypto'); typeof crypto.createHash", "function"],
    ["const { basename } = await import('node:path'); basename('/a/b')", "b"],
    ["10n", "10"],
  ])("the value of %s is %s", async (code, result) => {
    expect(await run(runner, code)).toMatchObject({ result, exitCode: 0, stderr: "" });
  });

  test("what code declares is there for the next", async () => {
    await run(runner, "let count = 1; function more() { count += 1 } class Box { size = 3 } var old = 'x'");
    await run(runner, "more()");
    expect((await run(runner, "[count, new Box().size, old, typeof more]")).result).toBe(
      '[2,3,"x","function"]',
    );
  });

  test("code that throws is a result, with its message and where it was", async () => {
    const result = await run(runner, "console.log('before');\nthrow new TypeError('no such thing')");
    expect(result).toMatchObject({ exitCode: 1, killed: false, stdout: "before\n", error: "no such thing" });
    expect(result.stderr).toMatch(/^TypeError: no such thing\n\s+at code:2/);
  });

  test("code that cannot be read is a result too", async () => {
    expect(await run(runner, "let = ;")).toMatchObject({
      exitCode: 1,
      error: expect.stringMatching(/\(1:\d+\)/),
    });
    const { error } = await run(runner, "import fs from 'fs'");
    expect(error).toContain("await import");
  });

  test("an exit ends the code and keeps the box", async () => {
    await run(runner, "var kept = 7");
    expect(await run(runner, "process.exit(3)")).toMatchObject({ exitCode: 3, killed: false });
    expect((await run(runner, "kept")).result).toBe("7");
  });

  test("what nobody waits for is told and ends nothing", async () => {
    const { stderr } = await run(
      runner,
      "Promise.reject(new Error('lost')); await new Promise(r => setTimeout(r, 50))",
    );
    expect(stderr).toMatch(/^Error: lost/);
    expect((await run(runner, "1")).result).toBe("1");
  });

  test("finds nothing of the service", async () => {
    const { result } = await run(runner, "JSON.stringify(Object.keys(process.env).sort())");
    expect(result).toBe('["HOME","LANG","PATH"]');
  });

  test("a loop without end is ended at its time, with what it printed, and the page goes on", async () => {
    const startedAtMs = performance.now();
    const result = await run(runner, "console.log('here'); for (;;);", { timeoutMs: 1500 });
    expect(result).toMatchObject({ stdout: "here\n", exitCode: 137, killed: true, result: "" });
    expect(result.error).toContain("1500 ms");
    expect(performance.now() - startedAtMs).toBeLessThan(3500);
    expect((await run(runner, "page.title()")).result).toBe("Shop");
  });

  test("is ended when the session ends", async () => {
    const ending = new AbortController();
    const result = run(runner, "for (;;);", { signal: ending.signal });
    setTimeout(() => ending.abort(new Error("the session has ended")), 300);
    await expect(result).rejects.toThrow("the session has ended");
  });

  test("a box that breaks down is replaced", async () => {
    const result = await run(
      runner,
      "process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined)",
    );
    expect(result).toMatchObject({ killed: true, exitCode: 137 });
    expect((await run(runner, "page.title()")).result).toBe("Shop");
  });

  test("what does not begin is not run", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(run(runner, "1", { signal })).rejects.toThrow("gone");
    expect(never.aborted).toBe(false);
  });
});
