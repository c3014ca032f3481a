import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { Resources } from "@pergamon-dev/kit/resources";
import { isRoot, NOBODY } from "./account.ts";
import { makeBrowserFolder } from "./browser-folder.ts";
import { startBrowser } from "./browser-process.ts";

/** Above what the system gives to any process: a user of another container. */
const FOREIGN_PID = 4_194_305;
const DAY_MS = 24 * 60 * 60 * 1000;

let resources = new Resources();

afterEach(async () => {
  await resources.close();
  resources = new Resources();
});

/** A folder as another process would have made it. */
async function folderOf(pid: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `pergamon-browser-${pid}-`));
  await mkdir(join(folder, "data"));
  resources.add(folder, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder of our own, which removes what others have left behind. */
async function start(): Promise<void> {
  const folder = await makeBrowserFolder();
  await folder.remove();
}

describe("W4 folders of other processes", () => {
  test("stay while their owner lives, whatever number it has here", async () => {
    const folder = await folderOf(FOREIGN_PID);
    const owner = createServer().listen(join(folder, "owner"));
    resources.add(owner, (server) => void server.close());
    await once(owner, "listening");
    await start();
    expect(existsSync(join(folder, "data"))).toBe(true);
  });

  test("go when their owner was killed, even if somebody else has its number now", async () => {
    const folder = await folderOf(process.pid);
    const code = `require("net").createServer().listen(process.argv[1], () => console.log("listening"))`;
    const owner = spawn(process.execPath, ["-e", code, join(folder, "owner")]);
    await once(owner.stdout, "data");
    owner.kill("SIGKILL");
    await once(owner, "exit");
    expect(existsSync(join(folder, "owner"))).toBe(true);
    await start();
    expect(existsSync(folder)).toBe(false);
  });

  test("that nobody answers for yet stay for a day", async () => {
    const [fresh, old] = [await folderOf(FOREIGN_PID), await folderOf(FOREIGN_PID)];
    const yesterday = new Date(Date.now() - DAY_MS - 1000);
    await utimes(old, yesterday, yesterday);
    await start();
    expect([existsSync(fresh), existsSync(old)]).toEqual([true, false]);
  });

  test.runIf(isRoot())("stay when they belong to another user", async () => {
    const folder = await folderOf(FOREIGN_PID);
    const yesterday = new Date(Date.now() - DAY_MS - 1000);
    await chown(folder, NOBODY.uid, NOBODY.gid);
    await utimes(folder, yesterday, yesterday);
    await start();
    expect(existsSync(folder)).toBe(true);
  });
});

describe.runIf(isRoot())("R4 a folder that is handed over", () => {
  test("belongs to the account, and nobody else can look into it", async () => {
    const folder = await makeBrowserFolder(NOBODY);
    const { uid, gid, mode } = await stat(folder.path);
    expect([uid, gid, mode & 0o777]).toEqual([NOBODY.uid, NOBODY.gid, 0o700]);
    await folder.remove();
    expect(existsSync(join(folder.path, ".."))).toBe(false);
  });

  test("is elsewhere when the account may not enter TMPDIR, and can be emptied there", async () => {
    const closed = testFolder();
    await chmod(closed, 0o700);
    await mkdir(join(closed, "tmp"), { mode: 0o777 });
    vi.stubEnv("TMPDIR", join(closed, "tmp"));
    resources.add(undefined, () => void vi.unstubAllEnvs());
    const folder = await makeBrowserFolder(NOBODY);
    expect(folder.path).not.toContain(closed);
    await writeFile(join(folder.path, "file"), "");
    await folder.remove();
    expect(existsSync(join(folder.path, ".."))).toBe(false);
  });

  test("is removed with what the account wrote, and nothing that it points to", async () => {
    const kept = testFolder();
    await writeFile(join(kept, "file"), "");
    const folder = await makeBrowserFolder(NOBODY);
    await symlink(kept, join(folder.path, "link"));
    await mkdir(join(folder.path, "own"));
    await writeFile(join(folder.path, "own", "file"), "");
    await chown(join(folder.path, "own"), NOBODY.uid, NOBODY.gid);
    await folder.remove();
    expect(existsSync(folder.path)).toBe(false);
    expect(existsSync(join(kept, "file"))).toBe(true);
  });
});

test("a browser that gets no folder is one that is not available, with what to set", async () => {
  vi.stubEnv("TMPDIR", join(tmpdir(), "none", "such"));
  resources.add(undefined, () => void vi.unstubAllEnvs());
  const program = { path: process.execPath, flags: [], environment: {}, account: undefined };
  await expect(startBrowser(program, AbortSignal.timeout(30_000))).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringMatching(/ENOENT.*Set TMPDIR/),
  });
});
