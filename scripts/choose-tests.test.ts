import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { chooseTests, setsLeftOut } from "./choose-tests.mjs";
import { isOfSet, TEST_SETS } from "./test-sets.mjs";

const ROOT = join(import.meta.dirname, "..");

/** What starts servers and clients that are too slow for every run. */
const NEEDS_A_SET =
  /postgres-server\.suite|pooler-server\.suite|s3-server\.suite|hasPythonClient|installed-clients\/clients|from "\.\/nodes\//;

describe("the table of sets", () => {
  test("names only what there is", () => {
    const names = TEST_SETS.flatMap(({ tests, but = [], of }) => [...tests, ...but, ...of]);
    expect(names.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  test("has every test file that needs Postgres, S3, a pooler or an installed client", () => {
    const files = ["packages", "test"].flatMap((name) => {
      const paths = readdirSync(join(ROOT, name), { recursive: true, encoding: "utf8" });
      return paths
        .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules/"))
        .map((path) => join(name, path));
    });
    const needing = files.filter((file) => NEEDS_A_SET.test(readFileSync(join(ROOT, file), "utf8")));
    expect(needing.length).toBeGreaterThan(10);
    expect(needing.filter((file) => !TEST_SETS.some((set) => isOfSet(set, file)))).toEqual([]);
  });
});

test("a change of a set's folder, of its tests, or of what all share brings the set back", () => {
  const clients = (changed: readonly string[] | undefined) =>
    setsLeftOut(changed).some(({ name }) => name === "official clients");
  expect(clients(["README.md"])).toBe(true);
  expect(clients(["packages/server/src/mcp/anything.ts"])).toBe(false);
  expect(clients(["test/installed-clients/clients.ts"])).toBe(false);
  expect(setsLeftOut(["package-lock.json"])).toEqual([]);
  expect(setsLeftOut(undefined)).toEqual([]);
});

describe("npm test", () => {
  let folder = "";
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  const commit = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path);
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@b.test", "commit", "--no-verify", "-m", path);
  };
  const leftOut = (args: readonly string[] = [], environment = {}) =>
    chooseTests(folder, args, environment).options.filter((option) => option !== "--exclude");

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "choose-tests-"));
    git("init", "--quiet", "--initial-branch=main");
    commit("test/installed-clients/a.test.ts");
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test("runs everything where history ends, or there is none", () => {
    expect(leftOut()).toEqual([]);
    rmSync(join(folder, ".git"), { recursive: true });
    expect(leftOut()).toEqual([]);
  });

  test("leaves out, by their names and with a line, sets that the last commit did not change", () => {
    commit("README.md");
    expect(leftOut()).toEqual(["test/installed-clients/a.test.ts"]);
    const { LEFT_OUT_TESTS } = chooseTests(folder, [], {}).env;
    expect(LEFT_OUT_TESTS).toMatch(
      /^LEFT OUT: official clients, 1 files: nothing changed in packages\/server\/src\/api\//m,
    );
    commit("packages/server/src/mcp/a.ts");
    expect(leftOut()).toEqual([]);
  });

  test("compares a branch with where it left main, and counts what is not committed", () => {
    git("switch", "--quiet", "-c", "branch");
    commit("packages/server/src/mcp/a.ts");
    commit("README.md");
    expect(leftOut()).toEqual([]);
    git("switch", "--quiet", "main");
    commit("docs/a.md");
    expect(leftOut()).toHaveLength(1);
    mkdirSync(join(folder, "packages/server/src/http"), { recursive: true });
    writeFileSync(join(folder, "packages/server/src/http/new.ts"), "");
    expect(leftOut()).toEqual([]);
  });

  test("compares with the commit that TEST_SINCE names", () => {
    commit("packages/server/src/mcp/a.ts");
    commit("README.md");
    expect(leftOut()).toHaveLength(1);
    expect(leftOut([], { TEST_SINCE: "HEAD~2" })).toEqual([]);
  });

  test("runs everything when it is asked for some tests, or for all", () => {
    commit("README.md");
    expect(leftOut(["test/installed-clients"])).toEqual([]);
    expect(leftOut([], { ALL: "1" })).toEqual([]);
    expect(leftOut(["--shard=1/2"])).toHaveLength(1);
  });
});
