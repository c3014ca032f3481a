import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import type { Finding } from "./finding.ts";

const FONT_FILE = /\.(?:ttf|otf|ttc|pfb|woff2?)$/i;

/** Counts the font files of the places where systems keep them; subfolders included. */
export async function checkFonts(_settings: unknown, _signal?: AbortSignal): Promise<Finding> {
  return fontsIn(fontFolders());
}

/** The finding for these folders; one that does not exist is empty. */
export async function fontsIn(folders: readonly string[]): Promise<Finding> {
  const counts = await Promise.all(folders.map(countFonts));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > 0) return { status: "found", detail: `${total} font files` };
  return {
    status: "missing",
    detail: "no font files",
    cost: "Screenshots show no text.",
    remedy: "Install fonts (Debian: apt install fonts-liberation fonts-noto-cjk).",
  };
}

async function countFonts(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => FONT_FILE.test(name)).length;
}

function fontFolders(): readonly string[] {
  const home = homedir();
  const own = [join(home, ".fonts"), join(home, ".local/share/fonts"), join(home, "Library/Fonts")];
  return ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts", ...own];
}
