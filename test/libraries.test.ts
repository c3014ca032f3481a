import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { docxFile, odtFile, pptxFile, wordHeading, wordParagraph, xlsxFile } from "./office-files.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { drawText } from "./text-picture.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NODES = join(ROOT, "node_modules/.cache/nodes");
const run = promisify(execFile);
const npm = (args: readonly string[], cwd: string) => run("npm", [...args, "--prefer-offline"], { cwd });

const DOCUMENTS_PROGRAM = `
import { readFile } from "node:fs/promises";
import { DocumentError, openDocumentPool } from "@pergamon-dev/documents";
const pool = openDocumentPool({ maxProcesses: 2 });
const names = ["a.docx", "a.xlsx", "a.pptx", "a.odt", "a.csv", "a.png"];
const options = { mimeType: "text/csv" };
for (const name of names) {
  const bytes = await readFile(name);
  const { markdown } = await pool.toMarkdown(bytes, name.endsWith(".csv") ? options : {});
  console.log(name, JSON.stringify(markdown.trim()));
}
const failure = await pool.toMarkdown(Buffer.from("%PDF-1.7 nothing")).catch((error) => error);
console.log(failure instanceof DocumentError, failure.code, failure.message);
await pool.close();
`;
const HTML_PROGRAM = `
import { parsePage } from "@pergamon-dev/html";
const page = parsePage('<title>Tea</title><nav><a href="/menu">Menu</a></nav><main><h1>Tea</h1><p><a href="/black">Black tea</a> is left to oxidise, and green tea is not.</p></main>', { url: "https://tea.test/" });
console.log(JSON.stringify([page.links(), page.metadata().title]));
`;
const TYPED = {
  html: `import { htmlToMarkdown, parsePage, type HtmlPage } from "@pergamon-dev/html";
const page: HtmlPage = parsePage(new Uint8Array(), { url: "https://a.test/", onlyMainContent: false });
export const text: string = htmlToMarkdown("<p>") + page.markdown();
// @ts-expect-error An option that does not exist.
parsePage("", { mainContentOnly: true });`,
  documents: `import { DocumentError, documentToMarkdown, openDocumentPool, type BlockType } from "@pergamon-dev/documents";
const { blocks, markdown } = await documentToMarkdown(new Uint8Array(), { mode: "fast", maxPages: 2 });
export const types: readonly BlockType[] = blocks.flatMap(({ items }) => items.map(({ type }) => type));
export const codeOf = (failure: unknown) => failure instanceof DocumentError && failure.code === "ocr-required" && markdown;
await openDocumentPool({ maxProcesses: 1 }).close();
// @ts-expect-error A mode that does not exist.
await documentToMarkdown(new Uint8Array(), { mode: "slow" });`,
};
const SETTINGS = {
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ["node"],
  },
};

const folder = testFolder();

describe.each(["html", "documents"] as const)("the package %s by itself", (name) => {
  let place: string;
  let files: readonly string[];

  beforeAll(async () => {
    place = join(folder, name);
    await mkdir(place);
    const packed = await npm(
      ["pack", "--json", "--ignore-scripts=false", "--pack-destination", place],
      join(ROOT, "packages", name),
    );
    const [{ filename, files: packedFiles }] = JSON.parse(
      packed.stdout.slice(packed.stdout.indexOf("[\n")),
    ) as [{ readonly filename: string; readonly files: readonly { readonly path: string }[] }];
    files = packedFiles.map(({ path }) => path);
    await writeFile(join(place, "package.json"), '{ "type": "module" }');
    await npm(["install", join(place, filename), "@types/node@20.19.43"], place);
    await writeExamples(name, place);
  }, 300_000);

  test("holds what it needs and nothing of the service", async () => {
    const allowed = /^(?:package\.json|README\.md|LICENSE|NOTICE|dist\/(?:[\w-]+\/)*[\w.-]+\.(?:js|d\.ts))$/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"]),
    );
    for (const path of files.filter((one) => one.startsWith("dist/"))) {
      const text = await readFile(join(place, "node_modules/@pergamon-dev", name, path), "utf8");
      expect(text).not.toMatch(/\.\.\/(?:server|browser)\/src\/|from "@pergamon-dev\//);
    }
  });

  test("has types that stand alone", async () => {
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    await writeFile(join(place, "typed.ts"), TYPED[name]);
    await writeFile(join(place, "tsconfig.json"), JSON.stringify({ ...SETTINGS, files: ["typed.ts"] }));
    const { stdout } = await run(process.execPath, [tsc, "-p", place]).catch(
      (failure: unknown) => failure as { stdout: string },
    );
    expect(stdout).toBe("");
  });

  test.for([20, 22, 24])("does on Node %i what its README shows", async (version, { skip }) => {
    const node = await nodeOf(version);
    if (node === undefined) return skip(`NOT TESTED on Node ${version}: npm cannot bring it.`);
    // Without tesseract: text in pictures is recognised by what the package brings.
    const how = { cwd: place, env: { PATH: "/nowhere" } };
    expect(await run(node, ["example.mjs"], how)).toEqual({ stdout: SAID[name].example, stderr: "" });
    expect(await run(node, ["more.mjs"], how)).toEqual({ stdout: SAID[name].more, stderr: "" });
  });
});

const SAID = {
  html: {
    example: "# Tea\n\nGreen tea is **not** left to oxidise, as black tea is.\n",
    more: '[["https://tea.test/black"],"Tea"]\n',
  },
  documents: {
    example: "Rivers carry water to the sea.\n",
    more: `a.docx "# Report\\n\\nWords"
a.xlsx "## S\\n\\n| Item | 3 |\\n| --- | --- |"
a.pptx "## Start\\n\\nWords"
a.odt "Words"
a.csv "| a | b |\\n| --- | --- |\\n| 1 | 2 |"
a.png "Mountains keep the morning light"
true unreadable-file The file cannot be read: the PDF is damaged.
`,
  },
};

async function writeExamples(name: "html" | "documents", place: string): Promise<void> {
  const readme = await readFile(join(ROOT, "packages", name, "README.md"), "utf8");
  const [, example = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
  expect(example.trim().split("\n")).toHaveLength(3);
  const lines = [{ text: "Mountains keep the morning light", x: 60, y: 90 }];
  const png = await drawText({ width: 640, height: 160, lines, fontPx: 32 }).png().toBuffer();
  const written = {
    "example.mjs": example,
    "more.mjs": name === "html" ? HTML_PROGRAM : DOCUMENTS_PROGRAM,
    "page.html":
      "<nav>Menu</nav><main><h1>Tea</h1><p>Green tea is <b>not</b> left to oxidise, as black tea is.</p></main>",
    "report.pdf": writePdf({ pages: [textPage("Rivers carry water to the sea.")] }),
    "a.docx": docxFile(wordHeading("Report") + wordParagraph("Words")),
    "a.xlsx": xlsxFile({ S: { A1: "Item", B1: 3 } }),
    "a.pptx": pptxFile([{ title: "Start", lines: ["Words"] }]),
    "a.odt": odtFile("<text:p>Words</text:p>"),
    "a.csv": "a,b\n1,2\n",
    "a.png": png,
  };
  for (const [file, content] of Object.entries(written)) await writeFile(join(place, file), content);
}

/** This Node, or one that npm brings, which is kept; undefined when npm does not reach its registry. */
async function nodeOf(version: number): Promise<string | undefined> {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const system = `node-${process.platform}-${process.arch}`;
  const place = join(NODES, String(version));
  const path = join(place, "node_modules", system, "bin/node");
  if (!existsSync(path)) {
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "package.json"), "{}");
    await npm(["install", `${system}@${version}`], place).catch((failure: unknown) => console.warn(failure));
  }
  return existsSync(path) ? path : undefined;
}
