import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { testCertificate } from "../packages/server/src/net/test-certificate.suite.ts";
import { testBrowserPath } from "../packages/browser/src/browser.suite.ts";
import { decodePng } from "./browser/png.ts";
import { build } from "./built.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

const folder = testFolder();
let site: Site;

beforeAll(async () => {
  await build();
  site = await openSite();
  site.page("/one", htmlPage("<h1>One</h1>"));
  site.page("/two", htmlPage("<h1>Two</h1>"));
}, 120_000);

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line in a shell, in the folder. @param line arguments, and what follows them in the shell. */
async function run(line: string, settings: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const child = spawn("bash", ["-c", `"$0" "$1" ${line}`, process.execPath, CLI], {
    cwd: folder,
    env: {
      ...process.env,
      DATA_DIR: join(folder, "data"),
      EGRESS_ALLOW: "127.0.0.1",
      ...(testBrowserPath && { BROWSER_PATH: testBrowserPath }),
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

test("an address alone is printed as Markdown", async () => {
  expect(await run(site.url("/one"))).toEqual({ code: 0, stdout: "# One\n", stderr: "" });
});

test("in a network of a company, its authority is trusted and its proxy leads to the model", async () => {
  const reply = { choices: [{ message: { content: '{"summary":"A page of the company."}' } }] };
  const server = createServer(testCertificate, (request, response) => {
    const isModel = request.method === "POST";
    response.setHeader("content-type", isModel ? "application/json" : "text/html");
    response.end(isModel ? JSON.stringify(reply) : htmlPage("<h1>Ours</h1><p>It is for us.</p>"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `https://localhost:${port}`;
  const asked: (string | undefined)[] = [];
  const proxy = createProxy().on("connect", (request, socket) => {
    asked.push(request.url);
    socket.write("HTTP/1.1 200 Connected\r\n\r\n");
    socket.pipe(connect(port, "127.0.0.1")).pipe(socket);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const OUTBOUND_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const path = join(folder, "authorities.pem");
  await writeFile(path, testCertificate.cert);
  const model = { LLM_BASE_URL: "https://origin.test", LLM_MODEL: "own" };
  const settings = { EGRESS_ALLOW: "localhost", OUTBOUND_PROXY, ...model };
  const line = `scrape ${url} --verify-tls --fast --format summary`;
  const [refused, trusted] = [
    await run(line, settings),
    await run(line, { ...settings, EXTRA_CA_CERTS: path }),
  ];
  server.close();
  proxy.close();
  expect(asked).toEqual(["origin.test:443"]);
  expect(refused.stderr).toContain("SCRAPE_SSL_ERROR");
  expect(trusted).toMatchObject({ code: 0, stdout: "A page of the company.\n" });
}, 30_000);

test("several addresses are answered, and those that fail are named", async () => {
  const urls = [site.url("/one"), "http://10.0.0.1/", site.url("/two")];
  const { code, stdout, stderr } = await run(`scrape ${urls.join(" ")} --fast`);
  expect(code).toBe(1);
  expect(stdout).toContain(`==> ${urls[0]} <==\n# One\n`);
  expect(stdout).toContain(`==> ${urls[2]} <==\n# Two\n`);
  expect(stderr).toMatch(/^http:\/\/10\.0\.0\.1\/: .* \([A-Z_]+\)\n$/);
});

describe("F5 a screenshot", () => {
  test("is a file whose name is printed, and replaces no other", async () => {
    const port = site.port;
    const name = `127.0.0.1-${port}-one`;
    expect(await run(`${site.url("/one")} --format screenshot`)).toEqual({
      code: 0,
      stdout: `${name}.png\n`,
      stderr: "",
    });
    const { width } = decodePng(await readFile(join(folder, `${name}.png`)));
    expect(width).toBeGreaterThan(1000);
    expect(await run(`${site.url("/one")} --format screenshot`)).toMatchObject({ stdout: `${name}-2.png\n` });
    expect(await readdir(folder)).toEqual(expect.arrayContaining([`${name}.png`, `${name}-2.png`]));
  });
});

test("a reader that wants no more ends the work, quietly", async () => {
  // Whoever waits for it is told of a timeout.
  const silent = site.page("/silent", () => undefined);
  const { code, stdout, stderr } = await run(
    `${site.url("/one")} ${silent} --fast --max-age 0 --timeout 20000 > >(sleep 0.1; exec <&-); exit $?`,
  );
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("the doctor scrapes pages of its own, says what limits it, and leaves nothing", async () => {
  const before = await readdir(tmpdir());
  const { code, stdout, stderr } = await run("doctor --load 1");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [machine, ...kinds] = stdout.trimEnd().split("\n");
  expect(machine).toMatch(/^\d+ processors?, [\d.]+ GB of memory, \d+ pages in browsers at once:$/);
  expect(kinds).toHaveLength(5);
  for (const line of kinds)
    expect(line).toMatch(
      /^ {2}[a-zA-Z ]+ [\d,]+ a minute, \d+ % of the processors, \d+ MB; limited by [^;]+$/,
    );
  const [overHttp = "0"] = kinds.map(
    (line) => /([\d,]+) a minute/.exec(line)?.[1]?.replaceAll(",", "") ?? "0",
  );
  expect(Number(overHttp)).toBeGreaterThan(0);
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith("pergamon-load-"));
  expect(left.filter((name) => !before.includes(name))).toEqual([]);
  expect((await run("doctor --load 0")).code).toBe(1);
}, 240_000);
