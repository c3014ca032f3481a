import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import { askVersion, isExecutable, locateProgram } from "@pergamon-dev/kit/process/programs";
import { unpackBundledBrowser } from "./bundled.ts";

/** Place where a browser was found, in search order. */
type BrowserSource = "configured" | "system" | "playwright-cache" | "bundled";

/** A Chromium that printed its version when started. */
export interface FoundBrowser {
  readonly path: string;
  readonly version: string;
  readonly source: BrowserSource;
  /** Environment variables that it must be started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Notes for the operator, for example about a configured browser that did not start. */
  readonly notes: readonly string[];
}

/** A browser that was found and rejected, and the reason. */
interface TriedBrowser {
  readonly path: string;
  readonly source: BrowserSource;
  readonly reason: string;
}

/** Places to search. All except the PATH variable have defaults for this machine. */
export interface BrowserSearch {
  /** The operator's choice (`BROWSER_PATH`), tried first. */
  readonly path?: string;
  /** Value of PATH, whose folders are searched for a system browser. */
  readonly pathVariable: string;
  /** Fixed places outside PATH. */
  readonly systemPaths?: readonly string[];
  /** Folder that Playwright downloads browsers to. */
  readonly playwrightFolder?: string;
  /** Folder that the npm package's browser is unpacked into. Without it, that browser is skipped. */
  readonly cacheFolder?: string;
  /** Skips headless shells, which pages can tell from ordinary browsers. */
  readonly isWhole?: boolean;
  /** Milliseconds that one browser may take to print its version. */
  readonly timeLimitMs?: number;
  readonly signal?: AbortSignal;
}

/** The browser to use, if any, and all browsers rejected before it. */
interface BrowserSearchResult {
  readonly browser: FoundBrowser | undefined;
  readonly tried: readonly TriedBrowser[];
}

interface Candidate {
  readonly path: string;
  readonly source: BrowserSource;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Names on PATH. The headless shell comes first, because a page takes less than half the memory in it. */
const PROGRAM_NAMES = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "microsoft-edge-stable",
  "microsoft-edge",
];

const SYSTEM_PATHS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  linux: ["/snap/bin/chromium", "/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge"],
};

/** Programs inside one browser folder of Playwright's cache. The folder names changed over its versions. */
const PLAYWRIGHT_PROGRAMS = [
  "chrome-headless-shell-linux64/chrome-headless-shell",
  "chrome-headless-shell-mac-arm64/chrome-headless-shell",
  "chrome-headless-shell-mac-x64/chrome-headless-shell",
  "chrome-linux/headless_shell",
  "chrome-mac/headless_shell",
  "chrome-linux64/chrome",
  "chrome-linux/chrome",
  "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
];

/** Part of the program's or its folder's name. */
const HEADLESS_SHELL = /headless[-_]shell/;

/** PATH of the started browsers, some of which are scripts. */
const PROGRAM_FOLDERS = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/**
 * Searches for a Chromium: the configured one, the system's, one in Playwright's cache, the npm package's.
 * Each is started with `--version` as a test, because a file with the right name may be a stub or lack its
 * libraries.
 * @throws the signal's reason, once `signal` is aborted.
 */
export async function findBrowser(search: BrowserSearch): Promise<BrowserSearchResult> {
  const tried: TriedBrowser[] = [];
  for await (const candidate of candidates(search, tried)) {
    const environment = { PATH: PROGRAM_FOLDERS, ...candidate.environment };
    const answer = await askVersion(candidate.path, { ...search, args: ["--version"], environment });
    const { path, source } = candidate;
    if ("version" in answer) {
      const browser = { path, source, environment, version: answer.version, notes: notesOf(tried) };
      return { browser, tried };
    }
    tried.push({ path, source, reason: answer.problem });
  }
  return { browser: undefined, tried };
}

async function* candidates(search: BrowserSearch, tried: TriedBrowser[]): AsyncIterable<Candidate> {
  for await (const candidate of allCandidates(search, tried)) {
    if (!search.isWhole || !HEADLESS_SHELL.test(candidate.path)) yield candidate;
  }
}

async function* allCandidates(search: BrowserSearch, tried: TriedBrowser[]): AsyncIterable<Candidate> {
  if (search.path) yield { path: search.path, source: "configured" };
  for (const name of PROGRAM_NAMES) {
    const path = await locateProgram(name, search.pathVariable);
    if (path) yield { path, source: "system" };
  }
  for (const path of search.systemPaths ?? SYSTEM_PATHS[process.platform] ?? []) {
    if (await isExecutable(path)) yield { path, source: "system" };
  }
  yield* playwrightBrowsers(search.playwrightFolder ?? defaultPlaywrightFolder());
  if (search.cacheFolder && !search.isWhole) yield* bundledBrowser(search.cacheFolder, tried);
}

/** Tries the system's libraries, then those of the package. */
async function* bundledBrowser(cacheFolder: string, tried: TriedBrowser[]): AsyncIterable<Candidate> {
  try {
    const bundled = await unpackBundledBrowser(cacheFolder);
    if (!bundled) return;
    yield { path: bundled.path, source: "bundled", environment: bundled.environment };
    yield { path: bundled.path, source: "bundled", environment: bundled.withLibraries };
  } catch (failure) {
    tried.push({ path: cacheFolder, source: "bundled", reason: (failure as Error).message });
  }
}

/** Yields headless shells before full browsers, newest revision first. */
async function* playwrightBrowsers(folder: string): AsyncIterable<Candidate> {
  const names = await readdir(folder).catch(() => []);
  const ordered = [...newestFirst(names, "chromium_headless_shell-"), ...newestFirst(names, "chromium-")];
  for (const name of ordered) {
    for (const program of PLAYWRIGHT_PROGRAMS) {
      const path = join(folder, name, program);
      if (await isExecutable(path)) yield { path, source: "playwright-cache" };
    }
  }
}

function newestFirst(names: readonly string[], prefix: string): readonly string[] {
  const revision = (name: string) => Number(name.slice(prefix.length)) || 0;
  return names.filter((name) => name.startsWith(prefix)).sort((a, b) => revision(b) - revision(a));
}

function defaultPlaywrightFolder(): string {
  const cache = process.platform === "darwin" ? "Library/Caches" : ".cache";
  return join(homedir(), cache, "ms-playwright");
}

function notesOf(tried: readonly TriedBrowser[]): readonly string[] {
  return tried
    .filter(({ source }) => source === "configured")
    .map(({ path, reason }) => `The configured browser ${path} was not used: ${reason}.`);
}
