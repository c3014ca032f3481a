import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { openTestSession } from "@pergamon-dev/browser/session-browser.suite";
import type { SessionBrowser } from "@pergamon-dev/browser/session-browser";
import { startBox } from "../../sandbox/box.ts";
import { makeBoxFolder } from "../../sandbox/box-folder.ts";
import { descendants } from "@pergamon-dev/kit/process/descendants";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { BOX_FOLDER } from "../../sandbox/sandbox.ts";
import { openBoxEquipment, type OpenedEquipment } from "./box-equipment.ts";
import { BoxRunner } from "./runners.ts";
import { SpareBox } from "./runners.ts";
import { never, run, sandboxesHere } from "./runners.suite.ts";
import { WarmBox } from "./warm-box.ts";

const PAGE = `<title>Shop</title><h1>Hello</h1><a href="/two">Next</a>
<form><label>Name <input id="name"></label><label><input type="checkbox"> Agree</label>
<select aria-label="Size"><option value="s">Small</option><option value="l">Large</option></select>
<button type="button" onclick="document.querySelector('output').textContent = document.querySelector('#name').value">Send</button>
<output></output></form>`;

async function commandsOf(pids: readonly number[]): Promise<readonly string[]> {
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
}

const site = createServer((_request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(PAGE);
});
let origin = "";
let browser: SessionBrowser;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  ofTestFile.add(site, (server) => void server.close());
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  browser = await openTestSession();
});
const sandboxes = await sandboxesHere();

test.skipIf(sandboxes.length > 0)("without a box, it is told why, and what would change that", async () => {
  expect(await openSandbox()).toEqual({
    sandbox: undefined,
    reason: expect.stringMatching(/./) as unknown,
    remedy: expect.stringMatching(/\.$/) as unknown,
  });
});

describe.each(sandboxes)("code in a box by %s", (name, { sandbox }) => {
  /** What runs in a box is the same in all: once is enough. */
  const isFirst = name === sandboxes[0]?.[0];
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
    runner = new BoxRunner(
      browser.confined,
      () => spare.take(),
      (failure) => console.error(failure),
    );
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
    ["before it is ready", false],
    ["when it has said so, and nobody has read it", true],
  ])("its program ends when the service is gone, %s", async (_when, isReady) => {
    const { sandbox: found, mounts } = equipment;
    const folder = await makeBoxFolder(found.account);
    const command = [`${BOX_FOLDER}/bin/node`, `${BOX_FOLDER}/runner.mjs`];
    const plan = { system: found.system, mountPoint: folder.mountPoint, mounts, command };
    const box = startBox(found, found.driver.launch(plan));
    if (isReady) await new Promise((resolve) => box.channel.once("readable", resolve));
    for (const stream of [box.channel, box.stdout, box.stderr]) stream.destroy();
    expect(await box.ended).toContain("said nothing");
    await folder.remove();
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

  describe.runIf(isFirst)("bash", () => {
    const bash = (code: string) => run(runner, code, { language: "bash" });

    test("is a shell, whose exit code counts", async () => {
      const ok = await bash("echo one | tr a-z A-Z; echo two >&2; pwd");
      expect(ok).toMatchObject({ stdout: "ONE\n/tmp\n", stderr: "two\n", exitCode: 0, result: "" });
      expect(await bash("exit 7")).toMatchObject({ exitCode: 7, killed: false, error: "Exit code 7" });
    });

    test("works on the page by the references of its outline", async () => {
      const code = `agent-browser open ${origin}
        agent-browser snapshot -i
        agent-browser fill @e2 'Ada Lovelace' && agent-browser click @e7
        agent-browser get text output; agent-browser get url`;
      const { stdout, stderr } = await bash(code);
      expect(stderr).toBe("");
      expect(stdout).toBe(`✓ Shop
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
Ada Lovelace
${origin}/
`);
    });

    test.each([
      ["get title", "Shop"],
      ["get count a", "1"],
      ["get attr a href", "/two"],
      ["eval '({ a: [1, 2].length })'", '{\n  "a": 2\n}'],
      ["check '[type=checkbox]'; agent-browser is checked '[type=checkbox]'", "✓ Done\ntrue"],
      ["select select l; agent-browser get value select", "✓ Done\nl"],
      ["find role button click --name Send; agent-browser is visible button", "✓ Done\ntrue"],
      ["find label Name fill Bob; agent-browser get value '#name'", "✓ Done\nBob"],
      ["find nth 1 option text", "Large"],
      ["wait h1", "✓ Done"],
      ["storage local set key word; agent-browser storage local key", "✓ Done\nword"],
      ["batch 'get title' 'get text h1'", "Shop\nHello"],
      ["screenshot /tmp/a.png && head -c 4 /tmp/a.png | tail -c 3", "✓ Screenshot saved to /tmp/a.png\nPNG"],
    ])("agent-browser %s", async (command, output) => {
      const { stdout, stderr, exitCode } = await bash(`agent-browser ${command}`);
      expect({ stdout: stdout.trimEnd(), stderr, exitCode }).toEqual({
        stdout: output,
        stderr: "",
        exitCode: 0,
      });
    });

    test("needs no name of a program before commands that only it knows", async () => {
      const { stdout } = await bash(`goto ${origin} > /dev/null && get title; type -t type`);
      expect(stdout).toBe("Shop\nbuiltin\n");
      expect(await bash("dance")).toMatchObject({
        exitCode: 127,
        stderr: "bash: dance: command not found\n",
      });
    });

    test("a reference that has gone is told at once, and so is a command that is none", async () => {
      await bash("agent-browser snapshot");
      const stale = await bash("agent-browser reload; agent-browser click @e1");
      expect(stale).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Take a new snapshot") });
      expect((await bash("agent-browser dance")).stderr).toMatch(/^✗ agent-browser dance is not available/);
      expect((await bash("agent-browser fill")).stderr).toBe(
        "✗ Usage: agent-browser fill <selector> <text>\n",
      );
    });
  });

  describe.runIf(isFirst)("python", () => {
    const python = (code: string) => run(runner, code, { language: "python" });

    test("has the names of Playwright, and prints", async () => {
      const code = `await page.goto("${origin}")
print(await page.title(), page.url)
heading = page.locator("h1")
print(await heading.inner_text(), await page.get_by_role("link", name="Next").count())
print(await page.evaluate("() => 6 * 7"), len(await page.screenshot(full_page=True)) > 1000)
await page.get_by_label("Name").fill("Grace")
print(await page.input_value("#name"), [await one.inner_text() for one in await page.locator("option").all()])
import re
print(await page.get_by_text(re.compile("hel", re.I)).count())`;
      expect(await python(code)).toMatchObject({
        stderr: "",
        stdout: `Shop ${origin}/\nHello 1\n42 True\nGrace ['Small', 'Large']\n1\n`,
        exitCode: 0,
      });
    });

    test("fails with the line that failed", async () => {
      const { stderr, exitCode } = await python('print(1)\nawait page.click("#nowhere", timeout=200)');
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/line 2[^]*TimeoutError: [^]*200ms/);
      expect((await python("page.on('x', lambda: 1)")).exitCode).toBe(0);
      expect((await python("await page.route('x', lambda: 1)")).stderr).toContain(
        "Functions cannot be given",
      );
    });
  });

  test("a loop without end is ended at its time, with what it printed, and the page goes on", async () => {
    const result = await run(runner, "console.log('here'); for (;;);", { timeoutMs: 1000 });
    expect(result).toMatchObject({ stdout: "here\n", exitCode: 137, killed: true, result: "" });
    expect(result.error).toContain("1000 ms");
    expect((await run(runner, "page.title()")).result).toBe("Shop");
  });

  test("is ended when the session ends", async () => {
    const ending = new AbortController();
    const result = run(runner, "for (;;);", { signal: ending.signal });
    setTimeout(() => ending.abort(new Error("the session has ended")), 300);
    await expect(result).rejects.toThrow("the session has ended");
  });

  describe("code that takes too much", () => {
    const afterwards = async () => (await run(runner, "page.evaluate(() => 6 * 7)")).result;

    test("processes: a fork bomb stays in its box and ends with it", async () => {
      const code = ":(){ :|:& };: ; sleep 20";
      const { killed } = await run(runner, code, { language: "bash", timeoutMs: 1000 });
      expect(killed).toBe(true);
      expect(await afterwards()).toBe("42");
    });

    test("heap: the box ends, and the next call has another", async () => {
      const code = "all = []; for (;;) all.push(new Array(1e6).fill(1.1))";
      const result = await run(runner, code, { timeoutMs: 20_000 });
      expect(result).toMatchObject({ killed: true, exitCode: 137, error: expect.any(String) });
      expect(await afterwards()).toBe("42");
    });

    test("buffers: an error", async () => {
      const code = "const all = []; for (let i = 0; i < 40; i++) all.push(Buffer.alloc(50e6)); all.length";
      expect(await run(runner, code)).toMatchObject({
        exitCode: 1,
        killed: false,
        error: expect.stringMatching(/alloc/i),
      });
    });

    test("files: an error at 64 MB each and 128 MB together", async () => {
      const code = (count: number, megabytes: number) =>
        `all = undefined; for (let i = 0; i < ${count}; i++) require('fs').writeFileSync('/tmp/big' + i, Buffer.alloc(${megabytes}e6))`;
      expect(await run(runner, code(1, 70))).toMatchObject({
        exitCode: 1,
        error: expect.stringContaining("EFBIG"),
      });
      expect(await run(runner, code(4, 50))).toMatchObject({
        exitCode: 1,
        error: expect.stringContaining("ENOSPC"),
      });
      expect(await run(runner, "require('fs').rmSync('/tmp/big0'); 'free'")).toMatchObject({
        result: "free",
      });
    });

    test("output: a megabyte is kept, of twenty too", async () => {
      const result = await run(runner, "head -c 20000000 /dev/zero | tr '\\0' x", { language: "bash" });
      expect(result).toMatchObject({ exitCode: 0, killed: false, truncated: true });
      expect(result.stdout.length).toBe(1024 * 1024);
      const printed = await run(
        runner,
        "for (let i = 0; i < 1e5; i++) console.log('0123456789ab'); 'x'.repeat(2e6)",
      );
      expect(printed).toMatchObject({ exitCode: 0, truncated: true });
      expect([printed.stdout.length, printed.result.length]).toEqual([1024 * 1024, 1024 * 1024]);
    });

    test("lines on its channel: the box ends, nothing of them is read", async () => {
      const code = "require('fs').writeSync(3, '\\n'.repeat(65536)); await new Promise(() => undefined)";
      const before = process.cpuUsage();
      const result = await run(runner, code, { timeoutMs: 20_000 });
      const { user } = process.cpuUsage(before);
      expect(result).toMatchObject({ killed: true, error: expect.stringContaining("printed too much") });
      expect(user / 1000).toBeLessThan(400);
      expect(await afterwards()).toBe("42");
    });

    test("what it wrote there is no outcome of ours unless it looks like one", async () => {
      const forged = `[{},{"kind":"done"},1,${"{},".repeat(1000)}1]`;
      const code = `require('fs').writeSync(3, ${JSON.stringify(`${forged}\n`)}); 'real'`;
      expect(await run(runner, code)).toMatchObject({ result: "real", exitCode: 0 });
    });

    test("processes that a call has left end with it, what the code knows stays", async () => {
      await run(runner, "kept = 8; require('child_process').spawn('sleep', ['1000'], { detached: true }); 1");
      const sleeping = (await commandsOf(descendants(process.pid))).filter((one) => one.includes("sleep"));
      expect(sleeping).toEqual([]);
      expect((await run(runner, "kept")).result).toBe("8");
    });

    test("timers that a call has left end with it", async () => {
      await run(
        runner,
        "fired = 0; setTimeout(() => { fired += 1 }, 50); setInterval(() => { fired += 1 }, 50); 1",
      );
      const waited = await run(runner, "await new Promise((resolve) => setTimeout(resolve, 300)); fired");
      expect(waited).toMatchObject({ result: "0", killed: false });
    });

    test("a loop that a call has left ends with its box, and with the page nothing happens", async () => {
      const code =
        "process.title = 'looper'; require('fs').stat('/', function again() { require('fs').stat('/', again) }); 'left'";
      expect((await run(runner, code)).result).toBe("left");
      const looping = async () =>
        (await commandsOf(descendants(process.pid))).filter((one) => one.startsWith("looper"));
      await expect.poll(looping, { timeout: 60_000 }).toEqual([]);
      expect(await afterwards()).toBe("42");
    });

    test("memory that belongs to no process cannot be had", async () => {
      const code = `import os, ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.shmget(0, 4096, 0o600), libc.semget(0, 1, 0o600), libc.msgget(0, 0o600))
try:
    os.memfd_create("x")
except OSError as failure:
    print(failure.errno)`;
      expect((await run(runner, code, { language: "python" })).stdout).toBe("-1 -1 -1\n1\n");
    });

    test("names of files are bounded", async () => {
      const code = "for (let i = 0; i < 60000; i++) require('fs').writeFileSync('/tmp/n' + i, '')";
      const result = await run(runner, `${code}; await new Promise((resolve) => setTimeout(resolve, 2000))`, {
        timeoutMs: 60_000,
      });
      expect(result).toMatchObject({ error: expect.stringMatching(/too many files|ENOSPC/) });
      await runner.close();
    });

    test("leaves nothing running behind", async () => {
      await run(runner, "setsid sleep 1000 & disown; echo started", { language: "bash" });
      await runner.close();
      const own = async () =>
        (await commandsOf(descendants(process.pid))).filter((one) => one.includes("sleep"));
      await expect.poll(() => own()).toEqual([]);
    });
  });

  test("a box that breaks down is replaced", async () => {
    const result = await run(
      runner,
      "process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined)",
    );
    expect(result).toMatchObject({ killed: true, exitCode: 137 });
    expect((await run(runner, "page.title()")).result).toBe("Shop");
  });

  test("is given up after two minutes without code: the page stays, what the code knew goes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await run(runner, "kept = 1");
      vi.advanceTimersByTime(119_000);
      expect((await run(runner, "kept")).result).toBe("1");
      vi.advanceTimersByTime(121_000);
    } finally {
      vi.useRealTimers();
    }
    expect((await run(runner, "[typeof kept, await page.title()].join(' ')")).result).toBe("undefined Shop");
  });

  test("what does not begin is not run", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(run(runner, "1", { signal })).rejects.toThrow("gone");
    expect(never.aborted).toBe(false);
  });
});
