import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { describeOcrEngine } from "./ocr-engine.suite.ts";
import { openTesseractBinary } from "./tesseract-binary.ts";

const engine = await openTesseractBinary();
if (!engine)
  console.warn("NOT TESTED: the tesseract program is not installed here: apt-get install tesseract-ocr");

describe.runIf(engine)("the tesseract program", () => {
  describeOcrEngine(async () => engine as NonNullable<typeof engine>);
});

/** Stands in for a program with data that this machine may lack: it writes which languages it was told to read. */
const PROGRAM = `#!/bin/sh
case "$*" in
  *--version*) echo "tesseract 5.3.0" ;;
  *--list-langs*) printf 'List:\\neng\\nrus\\nosd\\n' ;;
  *"--psm 0"*) cat >/dev/null; [ -n "$SCRIPT" ] && echo "Script: $SCRIPT" || exit 1 ;;
  *) cat >/dev/null; printf '5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t90\\t%s\\n' "$4" ;;
esac
`;

const folder = mkdtempSync(join(tmpdir(), "tesseract-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["a Cyrillic page", "Cyrillic", "rus+eng"],
  ["a Latin page", "Latin", "eng"],
  ["a page with too few letters to tell", "", "eng"],
])("%s is read in the languages of its script that are installed", async (_page, script, languages) => {
  const program = join(folder, `program-${script}`);
  writeFileSync(program, PROGRAM.replaceAll("$SCRIPT", script));
  chmodSync(program, 0o755);
  const stand = await openTesseractBinary(program);
  const picture = { pixels: new Uint8Array(100).fill(255), width: 10, height: 10, dpi: 100 };
  const words = await stand?.recognise(picture, [], AbortSignal.timeout(20_000));
  expect(words?.map(({ text }) => text)).toContain(languages);
});
