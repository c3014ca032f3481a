import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { textPage, writePdf } from "../../test/pdf-writer.ts";
import {
  bytesOf, expect, freePort, getJson, inMegabytes, manifest, nodeFolder, openPage, ROOT, run, Skip, until, withService,
} from "./tools.mjs";

const MAJORS = [20, 22, 24];
const LOOPBACK = { EGRESS_ALLOW: "127.0.0.1" };

/**
 * The program: packed, installed from its tarball in an empty folder, and used with each Node.
 * @param {import("./main.mjs").Release} release
 */
export async function program({ out, work, isShort, note }) {
  const tarball = await pack(ROOT, out);
  note("built", "npm pack, from a clean build");
  const place = emptyFolder(work, "program");
  await run("npm", ["install", "--ignore-scripts", tarball], { cwd: place });
  const { name } = manifest();
  const unpacked = bytesOf(join(place, "node_modules", name));
  const browser = join(place, "node_modules/@sparticuz/chromium");
  const sizes = {
    packed: statSync(tarball).size,
    unpacked,
    installed: bytesOf(place),
    browser: existsSync(browser) ? bytesOf(browser) : 0,
  };
  note("installed", `in an empty folder with --ignore-scripts: ${inMegabytes(sizes.installed)}`);
  await eachNode(isShort, note, (env, major) => tryProgram(place, env, major));
  return { file: tarball, sizes };
}

async function tryProgram(place, env, major) {
  const page = await openPage();
  const port = await freePort();
  const home = join(place, `home-${major}`);
  mkdirSync(home);
  const options = { cwd: place, env: { ...env, ...LOOPBACK, DATA_DIR: join(home, "data"), PORT: String(port) } };
  try {
    const markdown = await run("npx", ["--no-install", "pergamon", page.url], options);
    expect(markdown.startsWith("# The Harbour Library"), `npx pergamon printed ${markdown.slice(0, 200)}`);
    const picture = await run("npx", ["--no-install", "pergamon", page.url, "-f", "screenshot"], options);
    const isPng = readFileSync(join(place, picture.trim().split("\n").at(-1))).subarray(1, 4).toString() === "PNG";
    expect(isPng, `The screenshot is no PNG: ${picture}`);
    await withService(["node", "node_modules/.bin/pergamon", "serve"], options, async () => {
      const url = `http://127.0.0.1:${port}`;
      await until(60_000, () => getJson(`${url}/readyz`));
      const { data } = await getJson(`${url}/v2/scrape`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url: page.url, waitFor: 100 }),
      });
      expect(data.markdown.includes("nine to eight"), `The service answered ${JSON.stringify(data)}`);
    });
    return "npx: Markdown, a screenshot; serve: ready, a page that a script completes, SIGTERM";
  } finally {
    page.close();
  }
}

/** A package that others use in their programs; its README's first example is run. */
export async function library(name, { out, work, isShort, note }) {
  const tarball = await pack(join(ROOT, "packages", name), out);
  note("built", "npm pack, with its types");
  const place = emptyFolder(work, name);
  await run("npm", ["install", "--ignore-scripts", tarball], { cwd: place });
  note("installed", `in an empty folder: ${inMegabytes(bytesOf(place))}`);
  const readme = readFileSync(join(ROOT, "packages", name, "README.md"), "utf8");
  writeFileSync(join(place, "example.mjs"), /```js\n(.*?)```/s.exec(readme)[1]);
  writeFileSync(join(place, "page.html"), "<main><h1>Tea</h1><p>Rivers carry water to the sea.</p></main>");
  writeFileSync(join(place, "report.pdf"), writePdf({ pages: [textPage("Rivers carry water to the sea.")] }));
  await eachNode(isShort, note, async (env) => {
    const said = await run("node", ["example.mjs"], { cwd: place, env });
    expect(said.includes("Rivers carry water"), `The example of the README printed ${said}`);
    return "the example of its README";
  });
  return { file: tarball };
}

async function eachNode(isShort, note, use) {
  const majors = isShort ? MAJORS.filter((major) => process.versions.node.startsWith(`${major}.`)) : MAJORS;
  for (const major of majors) {
    try {
      const folder = await nodeFolder(major);
      const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
      const version = (await run("node", ["--version"], { env })).trim();
      note(`Node ${version}`, await use(env, major));
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
      note("SKIPPED", error.message);
    }
  }
}

async function pack(folder, out) {
  const said = await run("npm", ["pack", "--json", "--ignore-scripts=false", "--pack-destination", out], { cwd: folder });
  const [{ filename }] = JSON.parse(said.slice(said.search(/^\[$/m)));
  return join(out, filename);
}

function emptyFolder(work, name) {
  const place = join(work, name);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  return place;
}
