import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { expect, test } from "vitest";

import { docxFile, wordParagraph } from "../../../test/office-files.ts";

/** Makes Node find no native part of the parser, as on a platform for which there is none. */
const HIDE = `const Module = require("node:module");
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (/anydoc[-.]/.test(name)) throw Object.assign(new Error(name), { code: "MODULE_NOT_FOUND" });
  return resolve(name, ...more);
};`;

test("where the parser of Office files has no native part, they are refused in words, and notebooks are read", async () => {
  const hiding = join(testFolder(), "hiding.cjs");
  writeFileSync(hiding, HIDE);
  const work = new URL("works.ts", import.meta.url).href;
  const word = Buffer.from(docxFile(wordParagraph("Words."))).toString("base64");
  const notebook = Buffer.from(
    JSON.stringify({ nbformat: 4, cells: [{ cell_type: "markdown", source: "Tea" }] }),
  ).toString("base64");
  const script = `const { works } = await import(${JSON.stringify(work)});
    const read = (text, mimeType) =>
      works.readOffice({ body: Buffer.from(text, "base64"), mimeType, url: "https://site.test/" })
        .then(({ markdown }) => markdown, ({ message }) => message);
    const office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    console.log(JSON.stringify([await read("${word}", office), await read("${notebook}", "application/json")]));
    process.exit();`;
  const start = ["--conditions=pergamon-source", "--require", hiding, "--import", import.meta.resolve("tsx")];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...start,
    "--input-type=module",
    "-e",
    script,
  ]);
  expect(JSON.parse(stdout)).toEqual([
    expect.stringMatching(
      /^The file cannot be read: the parser of Office files has no native part for \w+ on \w+\.$/,
    ),
    "Tea",
  ]);
}, 60_000);
