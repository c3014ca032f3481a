import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

import { describe, expect, test } from "vitest";

import { testFolder } from "../test-folder.suite.ts";
import { askVersion, isExecutable, locateProgram } from "./programs.ts";

const folder = testFolder();

/** A program that runs these lines of shell. */
async function program(name: string, lines: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, mode);
  return path;
}

const ask = (path: string) => askVersion(path, { args: ["--version"] });

describe("a program is found", () => {
  test("in the first folder of PATH that has it", async () => {
    await program("one/tool", "");
    const path = await program("two/tool", "");
    const folders = ["absent", "two", "one"].map((name) => join(folder, name));
    expect(await locateProgram("tool", folders.join(delimiter))).toBe(path);
    expect(await locateProgram("other", folders.join(delimiter))).toBeUndefined();
  });

  test.each(["", delimiter, delimiter.repeat(3)])("nowhere when PATH is %j", async (pathVariable) => {
    expect(await locateProgram("sh", pathVariable)).toBeUndefined();
  });

  test("behind folders and files of its name that cannot be run", async () => {
    await mkdir(join(folder, "a/tool2"), { recursive: true });
    await program("b/tool2", "", 0o644);
    const path = await program("c/tool2", "");
    const folders = ["a", "b", "c"].map((name) => join(folder, name));
    expect(await locateProgram("tool2", folders.join(delimiter))).toBe(path);
  });
});

test("only a file that may be run is executable, also behind a link", async () => {
  const path = await program("run", "");
  await symlink(path, join(folder, "link"));
  await symlink(join(folder, "absent"), join(folder, "dangling"));
  const found = await Promise.all(
    [path, join(folder, "link"), join(folder, "dangling"), folder, join(folder, "absent")].map(isExecutable),
  );
  expect(found).toEqual([true, true, false, false, false]);
});

describe("a program that is asked its version", () => {
  test.each([
    ["ffmpeg version 5.1.6-0+deb12u1 Copyright", "5.1.6"],
    ["Chromium 156.0.7204.49 built on Debian 12", "156.0.7204.49"],
    ["tool 2 of 3, v1.2", "1.2"],
    ["2026.11.01", "2026.11.01"],
  ])("tells it by %j", async (output, version) => {
    expect(await ask(await program("tool", `echo '${output}'`))).toEqual({ version });
    expect(await ask(await program("tool", `echo '${output}' >&2`))).toEqual({ version });
  });

  test.each([
    ["prints none", "echo 'no number: 7'", "printed no version"],
    ["prints nothing", "", "printed no version"],
    ["fails in silence", "exit 3", "ended with 3"],
    ["fails with words", "echo 'cannot open libx.so' >&2; echo more >&2; exit 1", "cannot open libx.so"],
    ["prints a version and fails", "echo 1.2.3; exit 2", "ended with 2"],
  ])("%s: a problem in words", async (_what, lines, problem) => {
    expect(await ask(await program("tool", lines))).toEqual({ problem });
  });

  test("is not there, or may not be run", async () => {
    expect(await ask(join(folder, "absent"))).toEqual({ problem: "not there" });
    expect(await ask(await program("plain", "echo 1.2", 0o644))).toEqual({ problem: "not executable" });
  });

  test("hangs: it is ended, and does not hear of it twice", async () => {
    const path = await program("hang", "trap '' TERM; exec sleep 30");
    const answer = await askVersion(path, { args: [], timeLimitMs: 50 });
    expect(answer).toEqual({ problem: "no answer within 0.05 s" });
  });

  test("gets the arguments and, if requested, no variables but those given", async () => {
    const path = await program("echoes", 'echo "$1 ${GIVEN:-none} ${HOME:-none}"');
    const question = { args: ["7.7"], environment: { GIVEN: "8.8" } };
    expect(await askVersion(path, question)).toEqual({ version: "7.7" });
    const silent = await program("variables", 'echo "${GIVEN} ${HOME:-1.1}"');
    expect(await askVersion(silent, { args: [], environment: { GIVEN: "none" } })).toEqual({
      version: "1.1",
    });
  });

  test("is ended by a signal, with its reason", async () => {
    const path = await program("waits", "exec sleep 30");
    const controller = new AbortController();
    const answer = askVersion(path, { args: [], signal: controller.signal });
    controller.abort(new Error("no time"));
    await expect(answer).rejects.toThrow("no time");
    const late = askVersion(path, { args: [], signal: AbortSignal.abort(new Error("gone")) });
    await expect(late).rejects.toThrow("gone");
  });
});
