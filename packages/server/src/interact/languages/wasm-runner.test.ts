import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestSession } from "@pergamon-dev/browser/session-browser.suite";
import type { SessionBrowser } from "@pergamon-dev/browser/session-browser";
import { InterpreterEngine } from "../scripting/interpreter-engine.ts";
import { readAgentLines } from "./agent-lines.ts";
import { never, run } from "./runners.suite.ts";
import { WasmRunner } from "./wasm-runner.ts";

const PAGE = `<title>Shop</title><h1>Hello</h1><a href="/two">Next</a><p hidden>secret</p>
<form><label>Name <input id="name"></label><label><input type="checkbox"> Agree</label>
<select aria-label="Size"><option value="s">Small</option><option value="l">Large</option></select>
<button type="button" onclick="document.querySelector('output').textContent = document.querySelector('#name').value">Send</button>
<output></output></form>`;

const site = createServer((request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(request.url === "/two" ? "<title>Two</title><h1>Second</h1>" : PAGE);
});
let origin = "";
let browser: SessionBrowser;
let runner: WasmRunner;
const engine = new InterpreterEngine();

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  browser = await openTestSession();
  runner = new WasmRunner(
    browser.confined,
    { name: "wasm", reason: "it is a test", remedy: "None." },
    engine,
  );
  await run(runner, `await page.goto("${origin}/")`);
});
afterAll(async () => {
  await runner.close();
  site.close();
});

describe("JavaScript", () => {
  test.each([
    ["1+1", "2"],
    ["{ a: 1 }", '{"a":1}'],
    ["'text'", "text"],
    ["let n = 2; const { b, c: [d] } = { b: 3, c: [4] }; n + b + d", "9"],
    ["return 'early'", "early"],
    ["await new Promise((resolve) => setTimeout(() => resolve('late'), 20))", "late"],
    ["typeof process + typeof fetch + typeof globalThis.ask", "undefinedundefinedundefined"],
    ["await page.textContent('h1')", "Hello"],
    ["await page.locator('option').allInnerTexts()", '["Small","Large"]'],
    ["await page.getByRole('link', { name: 'next' }).getAttribute('href')", "/two"],
    [
      "await page.getByLabel('Name').fill('Ada'); await page.getByRole('button').click(); await page.innerText('output')",
      "Ada",
    ],
    ["await page.getByText(/hel+o/i).count()", "1"],
    ["await page.isVisible('p')", "false"],
    ["await page.check('[type=checkbox]'); await page.isChecked('[type=checkbox]')", "true"],
    ["await page.selectOption('select', 'l')", '["l"]'],
    [
      "await page.fill('#name', ''); await page.type('#name', 'aB'); await page.press('#name', '!'); await page.inputValue('#name')",
      "aB!",
    ],
    ["await page.evaluate((add) => document.title.length + add, 3)", "7"],
    ["await page.$eval('h1', (heading, end) => heading.textContent + end, '!')", "Hello!"],
    ["await page.$$eval('option', (all) => all.length)", "2"],
    ["const heading = await page.$('h1'); await heading.innerText()", "Hello"],
    ["(await page.screenshot()).subarray(1, 4).join()", "80,78,71"],
    ["(await page.screenshot()).toString('base64').slice(0, 5)", "iVBOR"],
    ["const links = await page.locator('a').all(); await links[0].innerText()", "Next"],
    ["await page.keyboard.press('Tab'); context.pages().length", "1"],
    ["await page.waitForSelector('h1'); page.isClosed()", "false"],
  ])("the value of %s is %s", async (code, result) => {
    expect(await run(runner, code)).toEqual({
      stdout: "",
      stderr: "",
      result,
      exitCode: 0,
      killed: false,
      truncated: false,
    });
  });

  test("goes to other pages and back, and opens new ones", async () => {
    const code = `await Promise.all([page.waitForNavigation(), page.click("a")]);
      const there = [page.url(), await page.title()];
      await page.goBack();
      const other = await context.newPage();
      await other.goto("${origin}/two");
      const titles = [await other.title(), await page.title()];
      await other.close();
      [...there, ...titles, page.url(), context.pages().length]`;
    expect(JSON.parse((await run(runner, code)).result)).toEqual([
      `${origin}/two`,
      "Two",
      "Two",
      "Shop",
      `${origin}/`,
      1,
    ]);
  });

  test("what code makes global is there for the next, and prints go their ways", async () => {
    await run(runner, "let count = 1; function more() { count += 1 }");
    const result = await run(
      runner,
      "more(); console.log('n', count, { a: [1] }); console.error('bad'); count",
    );
    expect(result).toMatchObject({ result: "2", stdout: 'n 2 {"a":[1]}\n', stderr: "bad\n" });
  });

  test("waits for addresses by text, by stars and by expressions", async () => {
    const code = `await page.waitForURL("${origin}/");
      await page.waitForURL("**/127.0.0.1:*/");
      await page.waitForURL(/^HTTP:.+\\/$/i);
      "there"`;
    expect(await run(runner, code)).toMatchObject({ result: "there", exitCode: 0 });
  });

  test("a pattern that never ends ends with its own call, and the process goes on meanwhile", async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 10);
    const address = "data:text/html," + "a".repeat(40) + "!";
    const code = `await page.goto("${address}"); await page.waitForURL(/(a+)+$/, { timeout: 20000 })`;
    const result = await run(runner, code);
    clearInterval(counting);
    await run(runner, `await page.goto("${origin}/")`);
    expect(result.error).toContain("took more than 2000 ms");
    expect(turns).toBeGreaterThan(50);
  });

  test("code that throws is a result", async () => {
    expect(await run(runner, "throw new TypeError('no such thing')")).toMatchObject({
      exitCode: 1,
      error: "no such thing",
      stderr: expect.stringMatching(/^TypeError: no such thing\n/),
    });
    const { error } = await run(runner, "await page.click('#nowhere', { timeout: 100 })");
    expect(error).toMatch(/Timeout 100ms exceeded/);
    expect((await run(runner, "let = ;")).exitCode).toBe(1);
  });

  test.each([
    ["await page.route('**', () => 1)", "page.route is not available without a sandbox (see doctor)."],
    ["page.on('dialog', () => 1)", "on is not available without a sandbox (see doctor)."],
    ["require('fs')", "require(fs) is not available without a sandbox (see doctor)."],
    ["await page.constructor('1')", "page.constructor is not available without a sandbox (see doctor)."],
    [
      "await page.__lookupGetter__('x')",
      "page.__lookupGetter__ is not available without a sandbox (see doctor).",
    ],
    ["await page.locator('a').toString.call()", expect.stringContaining("not available")],
    ["await page.evaluate('}); process.exit(')", expect.stringContaining("SyntaxError")],
    ["await page.goto('file:///etc/passwd', { timeout: 1000 })", expect.any(String)],
  ])("%s is refused in words", async (code, error) => {
    expect(await run(runner, code)).toMatchObject({ exitCode: 1, error });
  });

  test.each([
    ["a loop", "for (;;);"],
    ["promises without end", "const again = () => Promise.resolve().then(again); await again()"],
    ["waiting for what never comes", "await page.waitForSelector('#never', { timeout: 0 })"],
  ])("%s is ended at its time, and the page goes on", async (_name, code) => {
    // A thread that was ended takes a moment to be replaced.
    await run(runner, "1");
    const result = await run(runner, `console.log('here'); ${code}`, { timeoutMs: 1500 });
    expect(result).toMatchObject({ killed: true, exitCode: 137, stdout: "here\n" });
    expect((await run(runner, "await page.title()")).result).toBe("Shop");
  });

  test.each([
    ["heap", "const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)"],
    ["recursion", "const deep = () => deep() + 1; deep()"],
    ["recursion of data", "let all = []; for (let i = 0; i < 1e6; i++) all = [all]; JSON.stringify(all)"],
  ])("too much %s ends the code and nothing else", async (_name, code) => {
    const { exitCode } = await run(runner, code, { timeoutMs: 10_000 });
    expect(exitCode).not.toBe(0);
    expect((await run(runner, "await page.title()")).result).toBe("Shop");
  });

  test("timers that a call has left end with it, what it knows stays", async () => {
    await run(
      runner,
      "globalThis.fired = 0; setTimeout(() => { fired += 1 }, 50); setInterval(() => { fired += 1 }, 50)",
    );
    const { result } = await run(runner, "await new Promise((resolve) => setTimeout(resolve, 300)); fired");
    expect(result).toBe("0");
  });

  test.each([
    ["a chain of promises", "(function again() { return Promise.resolve().then(again) })(); 'left'"],
    ["what the page answers later", "void page.title().then(() => { for (;;); }); 'left'"],
  ])("a loop that a call has left does not disturb the next: %s", async (_what, code) => {
    const alone = new WasmRunner(
      browser.confined,
      { name: "wasm", reason: "a test", remedy: "None." },
      engine,
    );
    expect((await run(alone, code)).result).toBe("left");
    await pause(1500);
    const before = process.cpuUsage();
    await pause(500);
    const { user } = process.cpuUsage(before);
    expect(user / 1000).toBeLessThan(250);
    await alone.close();
  });

  test("what is asked in one call may be waited for in the next", async () => {
    await run(runner, "globalThis.title = page.title(); 1");
    expect((await run(runner, "await title")).result).toBe("Shop");
  });

  test("output and results are cut at a megabyte", async () => {
    const code = "for (let i = 0; i < 3e3; i++) console.log('0123456789'.repeat(50)); 'é'.repeat(1e6)";
    const { truncated, stdout, result } = await run(runner, code);
    expect([truncated, stdout.length, Buffer.byteLength(result)]).toEqual([true, 1024 * 1024, 1024 * 1024]);
  });

  test("ends with its session", async () => {
    const ending = new AbortController();
    const result = run(runner, "for (;;);", { signal: ending.signal });
    setTimeout(() => ending.abort(new Error("the session has ended")), 200);
    await expect(result).rejects.toThrow("the session has ended");
    expect(never.aborted).toBe(false);
  });
});

describe("bash", () => {
  const bash = (code: string) => run(runner, code, { language: "bash" });

  test("has lines of agent-browser", async () => {
    const code = `# look first
      agent-browser open ${origin}/ ; agent-browser snapshot -i
      agent-browser fill @e2 'Ada; Lovelace' && agent-browser click @e7
      agent-browser get text output`;
    expect(await bash(code)).toMatchObject({
      stderr: "",
      exitCode: 0,
      stdout: `✓ Shop
  ${origin}/
- link "Next" [ref=e1]
- textbox "Name" [ref=e2]
- checkbox "Agree" [ref=e3]
- combobox "Size" [ref=e4]: Small
- option "Small" [ref=e5] [selected]
- option "Large" [ref=e6]
- button "Send" [ref=e7]
✓ Done
✓ Done
Ada; Lovelace
`,
    });
  });

  test("a command that fails is told, and what depends on it is left out", async () => {
    const result = await bash("agent-browser reload; agent-browser click @e1 && agent-browser get url");
    expect(result).toMatchObject({
      stdout: "✓ Done\n",
      exitCode: 1,
      stderr: expect.stringContaining("new snapshot"),
    });
    const { stderr } = await bash("agent-browser screenshot");
    expect(stderr).toMatch(/^✗ Files require a sandbox/);
  });

  test.each([
    "ls",
    "agent-browser get url | cat",
    "agent-browser get text $(id)",
    "agent-browser get url > x",
    "a=1",
  ])("%s needs a shell, which there is none of", async (code) => {
    await expect(bash(code)).rejects.toMatchObject({
      code: "CODE_NOT_AVAILABLE",
      message: expect.stringContaining("it is a test"),
    });
  });
});

test.each(["node", "bash"] as const)(
  "a browser that does not answer costs %s no more than its time",
  async (language) => {
    const level = { name: "wasm", reason: "it is a test", remedy: "None." } as const;
    const stuck = new WasmRunner({ attach: () => undefined }, level, engine);
    const result = await run(stuck, language === "node" ? "1 + 1" : "agent-browser get url", {
      language,
      timeoutMs: 300,
    });
    expect(result).toMatchObject({ killed: true, error: "The code was killed: it exceeded its 300 ms." });
    await stuck.close();
  },
);

test("Python needs a box", async () => {
  await expect(run(runner, "print(1)", { language: "python" })).rejects.toMatchObject({
    code: "CODE_NOT_AVAILABLE",
    message: "Python requires a sandbox, which is not available: it is a test. None.",
  });
});

test.each([
  ["agent-browser a b && agent-browser c", [["a", "b"], ["c"]]],
  [`agent-browser fill '#x' "it's; \\"ok\\" && so"\n`, [["fill", "#x", `it's; "ok" && so`]]],
  ["agent-browser a \\\n b", [["a", "b"]]],
  [
    "snapshot -i; get url",
    [
      ["snapshot", "-i"],
      ["get", "url"],
    ],
  ],
  ["agent-browser eval '() => a | b > $c'", [["eval", "() => a | b > $c"]]],
  ["", []],
])("the script %j has these commands", (script, words) => {
  expect(readAgentLines(script)?.map((line) => line.words)).toEqual(words);
});
