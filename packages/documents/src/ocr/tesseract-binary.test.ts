import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { drawText } from "../../../../test/text-picture.ts";
import { openPdfReader } from "../pdfium/reader.ts";
import { readPicture } from "../read-picture.ts";
import { describeOcrEngine } from "./ocr-engine.suite.ts";
import { openTesseractBinary } from "./tesseract-binary.ts";

const engine = await openTesseractBinary();
if (!engine)
  console.warn("NOT TESTED: the tesseract program is not installed here: apt-get install tesseract-ocr");

describe.runIf(engine)("the tesseract program", () => {
  describeOcrEngine(async () => engine as NonNullable<typeof engine>);
});

const ENGLISH = ["The old lighthouse beside the harbour", "Ships arrive from the north in spring"];
const RUSSIAN = ["Старый маяк у гавани", "Корабли приходят с севера весной", "Затем он закрыл дверь"];
const GREEK = ["Το μουσείο ανοίγει κάθε πρωί στις εννέα", "Τα πλοία έρχονται την άνοιξη"];
const HEBREW = ["המגדלור הישן ליד הנמל", "המוזיאון נפתח בכל בוקר בשעה תשע", "מחיר הכרטיס הוא 25 שקלים"];
const ARABIC = ["تنظيف الآلات في الميناء القديم", "لا توجد رحلات في أيام العطل الرسمية"];
const TALL = readFileSync(new URL("../../../../test/vertical-japanese.png", import.meta.url));
const TALL_TEXT = "港のそばに古い灯台があり博物館は毎朝九時に開きます船は春に北からやって来ます";

const drawn = (lines: readonly string[], degrees = 0) =>
  drawText({
    width: 1300,
    height: 220 + 70 * lines.length,
    lines: lines.map((text, at) => ({ text, x: 120, y: 140 + 70 * at })),
    fontPx: 36,
  })
    .rotate(degrees)
    .withMetadata({ density: 200 })
    .png()
    .toBuffer();

const CASES = [
  ["one line in Greek", "ell", () => drawn(GREEK.slice(0, 1)), GREEK.slice(0, 1)],
  ["one line in Arabic", "ara", () => drawn(ARABIC.slice(0, 1)), ARABIC.slice(0, 1)],
  ["English above Russian", "rus", () => drawn([...ENGLISH, ...RUSSIAN]), [...ENGLISH, ...RUSSIAN]],
  ["Russian above Greek", "ell", () => drawn([...RUSSIAN, ...GREEK]), [...RUSSIAN, ...GREEK]],
  ["Hebrew on its side", "heb", () => drawn(HEBREW, 90), HEBREW],
  ["Russian upside down", "rus", () => drawn(RUSSIAN, 180), RUSSIAN],
  ["Japanese that runs down the page", "jpn_vert", async () => TALL, [TALL_TEXT]],
] as const;
const installed = (await engine?.languages()) ?? [];
const [there, missing] = [true, false].map((isThere) =>
  CASES.filter(([, data]) => installed.includes(data) === isThere),
);
for (const [what, data] of missing ?? [])
  console.warn(
    `NOT TESTED: ${what}, as tesseract has no data here: apt-get install tesseract-ocr-${data.replace("_", "-")}`,
  );

test.each(there ?? [])(
  "a picture of %s is read, in order",
  async (_what, _data, picture, lines) => {
    const tools = {
      pdf: await openPdfReader(),
      ocr: async () => engine,
      signal: AbortSignal.timeout(60_000),
    };
    const { markdown } = await readPicture({ body: await picture(), languages: [] }, tools);
    expect(markdown.replace(/^# /m, "").replace(/\s+/g, " ")).toBe(lines.join(" "));
  },
  90_000,
);

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
