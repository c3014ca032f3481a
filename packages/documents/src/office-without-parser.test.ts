import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { expect, test } from "vitest";

import { docxFile, wordParagraph } from "../../../test/office-files.ts";

/** Makes Node fail so at each native part of the parser. */
const failing = (properties: string) => `const Module = require("node:module");
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (/anydoc[-.]/.test(name)) throw Object.assign(new Error(), ${properties});
  return resolve(name, ...more);
};`;

test.each([
  [
    "for which there is no native part",
    '{ code: "MODULE_NOT_FOUND", message: "Cannot find module " + name }',
    /^The file cannot be read: the parser of Office files has no native part for \w+ on \w+\.$/,
  ],
  [
    "whose libraries are too old for it",
    `{ code: "ERR_DLOPEN_FAILED", message: "/lib/libc.so.6: version 'GLIBC_2.99' not found (required by /opt/app/any.node)" }`,
    /^The file cannot be read: the parser of Office files does not load: libc\.so\.6: version 'GLIBC_2\.99' not found \(required by any\.node\)\.$/,
  ],
])(
  "on a platform %s, Office files are refused in words, and notebooks are read",
  async (_which, properties, words) => {
    const hiding = join(testFolder(), "hiding.cjs");
    writeFileSync(hiding, failing(properties));
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
    const start = [
      "--conditions=pergamon-source",
      "--require",
      hiding,
      "--import",
      import.meta.resolve("tsx"),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...start,
      "--input-type=module",
      "-e",
      script,
    ]);
    expect(JSON.parse(stdout)).toEqual([expect.stringMatching(words), "Tea"]);
  },
  60_000,
);
