import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { build } from "./built.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

/** What `npm pack` tells of a package. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Twice what it is. A package that is larger has got something that it should not have. */
const MAX_BYTES = 4_100_000;

const folder = testFolder();
const source = join(folder, "source");
let site: Site;
let packed: Packed;

/** Without chunks of the build before, which stay for programs that still run. */
async function copyBuild(target: string): Promise<void> {
  const stamp = await readFile(join(REPOSITORY, "dist/build.json"), "utf8");
  const { files } = JSON.parse(stamp) as { readonly files: readonly string[] };
  const paths = [
    "package.json",
    "README.md",
    "LICENSE",
    "NOTICE",
    "bin",
    ...files.map((path) => `dist/${path}`),
  ];
  for (const path of paths) await cp(join(REPOSITORY, path), join(target, path), { recursive: true });
}

beforeAll(async () => {
  await build();
  await copyBuild(source);
  site = await openSite();
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: source });
  [packed] = JSON.parse(stdout) as [Packed];
}, 120_000);

test("the package holds the program and what starts it, and nothing else", () => {
  const paths = packed.files.map(({ path }) => path);
  const allowed =
    /^(?:package\.json|README\.md|LICENSE|NOTICE|bin\/[\w-]+\.mjs|dist\/[\w.-]+\.js|dist\/web\/index\.html(?:\.br)?|dist\/web\/assets\/[\w.-]+)$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining(["bin/pergamon.mjs", "dist/cli.js", "dist/page-worker.js", "dist/web/index.html"]),
  );
  expect(packed.size).toBeLessThan(MAX_BYTES);
});

test("the package scrapes without sources, a lock file, or anything to be built", async () => {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "pergamon"), { recursive: true });
  await run("tar", [
    "xzf",
    join(folder, packed.filename),
    "--strip-components=1",
    "-C",
    join(modules, "pergamon"),
  ]);
  // What an install would have brought.
  await symlink(join(REPOSITORY, "node_modules"), join(modules, "pergamon", "node_modules"));
  const { stdout, stderr } = await run(
    process.execPath,
    [
      join(modules, "pergamon", "bin", "pergamon.mjs"),
      site.page("/page", htmlPage("<h1>Page</h1>")),
      "--fast",
    ],
    { cwd: folder, env: { ...process.env, EGRESS_ALLOW: "127.0.0.1" } },
  );
  expect([stdout, stderr]).toEqual(["# Page\n", ""]);
});

test("a package that lacks its program says how to make one", async () => {
  const empty = join(folder, "unbuilt");
  await mkdir(empty);
  await run("cp", ["-r", join(REPOSITORY, "bin"), join(REPOSITORY, "package.json"), empty]);
  const started = run(process.execPath, [join(empty, "bin", "pergamon.mjs"), "--help"]);
  await expect(started).rejects.toMatchObject({
    stderr: "This package lacks its program.\n→ Make it with npm run package, which builds it first.\n",
  });
});
