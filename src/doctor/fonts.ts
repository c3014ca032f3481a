import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import type { DoctorSettings, Finding } from "./finding.ts";
import { knownScripts, scriptsIn } from "./font-scripts.ts";

const FONT_FILE = /\.(?:ttf|otf|ttc|pfb|woff2?)$/i;
/** Machines with many fonts have letters for everything. */
const MAX_FILES = 500;

/** What can be written on screenshots: looks at the fonts of the system and of the browser that npm brought. */
export async function checkFonts({ cacheDir }: Pick<DoctorSettings, "cacheDir">): Promise<Finding> {
  return fontsIn([...fontFolders(), ...(cacheDir ? [cacheDir] : [])]);
}

/** The finding for these folders, subfolders included; one that does not exist is empty. */
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
