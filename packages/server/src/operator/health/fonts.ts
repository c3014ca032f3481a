import { type FileHandle, open, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import type { DoctorSettings, Finding } from "./check.ts";

const FONT_FILE = /\.(?:ttf|otf|ttc|pfb|woff2?)$/i;
/** Maximum files that are read. Machines with more fonts have letters for everything. */
const MAX_FILES = 500;

/**
 * Checks which scripts screenshots can show, from the fonts of the system and of the npm-provided browser.
 */
export async function checkFonts({ cacheDir }: Pick<DoctorSettings, "cacheDir">): Promise<Finding> {
  return fontsIn([...fontFolders(), ...(cacheDir ? [cacheDir] : [])]);
}

/** The finding for these folders with their subfolders. A missing folder counts as empty. */
export async function fontsIn(folders: readonly string[]): Promise<Finding> {
  const files = (await Promise.all(folders.map(fontFiles))).flat();
  if (files.length === 0) {
    return {
      status: "missing",
      detail: "no font files",
      cost: "Screenshots show no text.",
      remedy:
        "Install fonts (Debian: apt install fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji).",
    };
  }
  const detail = `${files.length} font files`;
  const written = new Set((await Promise.all(files.slice(0, MAX_FILES).map(scriptsIn))).flat());
  const lacking = knownScripts.filter((script) => !written.has(script));
  if (lacking.length === 0) return { status: "found", detail };
  return {
    status: "missing",
    detail: `${detail}, none for ${lacking.join(", ")}`,
    cost: "Screenshots show empty boxes instead of these characters.",
    remedy: "Install fonts (Debian: apt install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji).",
  };
}

async function fontFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => FONT_FILE.test(name)).map((name) => join(folder, name));
}

function fontFolders(): readonly string[] {
  const home = homedir();
  const own = [join(home, ".fonts"), join(home, ".local/share/fonts"), join(home, "Library/Fonts")];
  return ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts", ...own];
}

/**
 * Scripts that are common on pages, but that many machines have no fonts for. A font supports a script when
 * all of its bits of `ulUnicodeRange` are set.
 */
const RANGE_BITS: Readonly<Record<string, readonly number[]>> = {
  "Chinese and Japanese": [49, 50, 59],
  Korean: [56],
  Arabic: [13],
  Hebrew: [11],
  Devanagari: [15],
  Thai: [24],
};
const EMOJI = "emoji";
/** Tables with colour glyphs. */
const COLOUR_TABLES = new Set(["CBDT", "COLR", "sbix", "SVG "]);

const knownScripts: readonly string[] = [...Object.keys(RANGE_BITS), EMOJI];

const HEAD_BYTES = 12;
const ENTRY_BYTES = 16;
const RANGES_OFFSET = 42;
const RANGES_BYTES = 16;

/**
 * The known scripts that a font file supports (OpenType, table `OS/2` and colour tables). Other files support
 * none.
 */
async function scriptsIn(path: string): Promise<readonly string[]> {
  const file = await open(path).catch(() => undefined);
  if (!file) return [];
  try {
    const tables = await tablesOf(file);
    const isColoured = [...tables.keys()].some((tag) => COLOUR_TABLES.has(tag));
    return [...(await writtenScripts(file, tables.get("OS/2"))), ...(isColoured ? [EMOJI] : [])];
  } finally {
    await file.close();
  }
}

/** Offsets of the tables by tag. If a file holds several fonts, the first one counts. */
async function tablesOf(file: FileHandle): Promise<ReadonlyMap<string, number>> {
  const first = await read(file, 0, HEAD_BYTES + 4);
  const start = first.toString("latin1", 0, 4) === "ttcf" ? first.readUInt32BE(HEAD_BYTES) : 0;
  const head = await read(file, start, HEAD_BYTES);
  const directory = await read(file, start + HEAD_BYTES, head.readUInt16BE(4) * ENTRY_BYTES);
  const tables = new Map<string, number>();
  for (let at = 0; at < directory.byteLength; at += ENTRY_BYTES) {
    tables.set(directory.toString("latin1", at, at + 4), directory.readUInt32BE(at + 8));
  }
  return tables;
}

async function writtenScripts(file: FileHandle, offset: number | undefined): Promise<readonly string[]> {
  if (offset === undefined) return [];
  const ranges = await read(file, offset + RANGES_OFFSET, RANGES_BYTES);
  const isWritten = (bit: number) =>
    ((ranges.readUInt32BE(Math.floor(bit / 32) * 4) >>> (bit % 32)) & 1) === 1;
  return Object.entries(RANGE_BITS)
    .filter(([, bits]) => bits.every(isWritten))
    .map(([script]) => script);
}

/** Bytes beyond the end of the file are zero. */
async function read(file: FileHandle, position: number, sizeBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(sizeBytes);
  await file.read(buffer, 0, sizeBytes, position);
  return buffer;
}
