import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const POLL_MS = 20;

/** Says what it was built from, and serves the built page of the dashboard. */
const SERVICE = `
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { word } from "./word.ts";
const page = new URL("./web/", import.meta.url);
createServer(({ url = "/" }, response) => {
  if (url === "/word") return response.end(word);
  const name = url === "/" ? "index.html" : "assets/" + url.split("/").at(-1);
  response.end(readFileSync(new URL(name, page)));
}).listen(Number(process.argv[3]), "127.0.0.1");
`;

const folder = testFolder();
let address: string;
let dev: ChildProcess;
/** What it has reported so far. */
let report = "";

beforeAll(async () => {
  await Promise.all([
    cp(join(REPOSITORY, "bin"), join(folder, "bin"), { recursive: true }),
    cp(join(REPOSITORY, "packages/dashboard"), join(folder, "packages/dashboard"), { recursive: true }),
    // The build puts it around each import that is made late.
    cp(join(REPOSITORY, "packages/kit/src/process"), join(folder, "packages/kit/src/process"), {
      recursive: true,
    }),
    symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules")),
    writeFile(join(folder, "package.json"), '{ "type": "module" }'),
  ]);
  await mkdir(join(folder, "packages/server/src"), { recursive: true });
  await write("packages/server/src/main.ts", SERVICE);
  await write("packages/server/src/word.ts", 'export const word: string = "first";');
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const script = `const { serveSources } = await import("./bin/dev.mjs");
    await serveSources(process.cwd(), ["serve", "${port}"]);`;
  const args = ["--input-type=module", "-e", script];
  dev = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  dev.stderr?.setEncoding("utf8").on("data", (text: string) => (report += text));
});

afterAll(async () => {
  const ended = once(dev, "exit");
  dev.kill("SIGTERM");
  await ended;
  await expect(fetch(address)).rejects.toThrow("fetch failed");
});

async function write(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** @returns nothing while the service is being restarted. */
async function textAt(path: string): Promise<string> {
  const response = await fetch(address + path).catch(() => undefined);
  return response ? response.text() : "";
}

/** Waits until what is served fits. @returns how long that took. */
async function served(path: string, wanted: string): Promise<number> {
  const startedAt = performance.now();
  while (!(await textAt(path)).includes(wanted)) await new Promise((done) => setTimeout(done, POLL_MS));
  return performance.now() - startedAt;
}

test("serves service and dashboard from the sources, again after a change, and on after a mistake", async () => {
  await served("/word", "first");
  await write("packages/server/src/word.ts", 'export const word: string = "second";');
  const serviceMs = await served("/word", "second");

  const styles = join(folder, "packages/dashboard/src/styles/tokens.css");
  await writeFile(styles, `${await readFile(styles, "utf8")}\n.changed-by-test { color: red; }\n`);
  let dashboardMs = await served("/", "all-");
  const startedAt = performance.now();
  for (;;) {
    const [sheet = ""] = /assets\/all-[^"]+\.css/.exec(await textAt("/")) ?? [];
    if (sheet !== "" && (await textAt(`/${sheet}`)).includes("changed-by-test")) break;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  dashboardMs += performance.now() - startedAt;

  await write("packages/server/src/word.ts", "export const word: string = ;");
  await write("packages/server/src/unrelated.ts", "export {};");
  while (!report.includes("packages/server/src/word.ts"))
    await new Promise((done) => setTimeout(done, POLL_MS));
  await served("/word", "second");
  await write("packages/server/src/word.ts", 'export const word: string = "third";');
  await served("/word", "third");
  // Many editors write another file, and give it the name of this one.
  for (const text of ["fourth", "fifth"]) {
    await write("word.draft", `export const word: string = "${text}";`);
    await rename(join(folder, "word.draft"), join(folder, "packages/server/src/word.ts"));
    await served("/word", text);
  }
  // Two seconds on a quiet machine; tests run beside many others.
  expect(Math.max(serviceMs, dashboardMs)).toBeLessThan(20_000);
});
