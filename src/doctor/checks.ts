import { tmpdir } from "node:os";

import { checkBrowser } from "./browser.ts";
import { checkProxies, checkReach } from "./connections.ts";
import { checkDataFolder, checkFreeSpace, checkPrivacy, checkTemporaryFolder } from "./data-folder.ts";
import { checkDatabaseFile } from "./database-file.ts";
import type { Check, Finding } from "./finding.ts";
import { checkFonts } from "./fonts.ts";
import { checkBoxBounds, checkInteractCode } from "./interact-code.ts";
import { checkLanguageModel } from "./language-model.ts";
import { checkNameServers } from "./name-servers.ts";
import { checkOcr } from "./ocr.ts";
import { checkPort } from "./port.ts";
import { checkProgram } from "./program.ts";
import { checkReaders } from "./readers.ts";
import { checkWayOut } from "./way-out.ts";

/** First Node 20 that runs everything; Node 20 itself gets no security fixes since 2026-04-30. */
const OLDEST_NODE = [20, 19] as const;
const OLDEST_MAINTAINED_NODE = 22;

const NEWER_NODE = "Install Node 22 or 24 (https://nodejs.org).";

/** Everything the doctor looks at, in the order it reports. */
export const checks: readonly Check[] = [
  { name: "Node", run: async () => checkNode(process.versions.node) },
  { name: "HTTP client", run: checkHttpClient },
  { name: "Database", run: checkDatabase },
  { name: "Data folder", run: ({ dataDir }) => checkDataFolder(dataDir) },
  { name: "Data privacy", run: ({ dataDir }) => checkPrivacy(dataDir) },
  { name: "Data", run: async ({ databaseFile }) => checkDatabaseFile(databaseFile) },
  { name: "Disk space", run: ({ dataDir }) => checkFreeSpace(dataDir) },
  { name: "Temporary folder", run: () => checkTemporaryFolder(tmpdir()) },
  { name: "Port", run: ({ host, port }, signal) => checkPort(host, port, signal) },
  { name: "Name servers", run: ({ nameServers }) => checkNameServers(nameServers) },
  {
    name: "Outgoing network",
    run: ({ isIntranet, proxies }) => checkWayOut(isIntranet || proxies.length > 0),
  },
  { name: "Proxies", run: ({ proxies }) => checkProxies(proxies) },
  { name: "Reachability", run: ({ reach, nameServers }) => checkReach(reach, nameServers) },
  { name: "Browser", run: checkBrowser },
  { name: "Fonts", run: checkFonts },
  { name: "Code execution", run: checkInteractCode },
  { name: "Code memory limit", run: checkBoxBounds },
  { name: "File readers", run: checkReaders },
  { name: "tesseract", run: checkOcr },
  {
    name: "ffmpeg",
    run: (settings, signal) =>
      checkProgram(settings.ffmpegPath, settings.pathVariable, {
        name: "ffmpeg",
        versionArgument: "-version",
        cost: "Audio is extracted only from MP3 files, and video streams with a separate audio track are not merged.",
        remedy: "Install ffmpeg (Debian: apt install ffmpeg), or set FFMPEG_PATH.",
        signal,
      }),
  },
  {
    name: "yt-dlp",
    run: (settings, signal) =>
      checkProgram(settings.ytDlpPath, settings.pathVariable, {
        name: "yt-dlp",
        versionArgument: "--version",
        cost: "Audio and video work only for pages that link to their files or streams.",
        remedy: "Install yt-dlp (https://github.com/yt-dlp/yt-dlp), or set YTDLP_PATH.",
        signal,
      }),
  },
  { name: "Language model", run: checkLanguageModel },
];

/** `version` as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isTooOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (isTooOld) {
    return {
      status: "problem",
      detail: `${version} is too old`,
      remedy: NEWER_NODE,
    };
  }
  if (major >= OLDEST_MAINTAINED_NODE) return { status: "found", detail: version };
  return {
    status: "missing",
    detail: `${version} no longer receives security fixes`,
    cost: "Later security fixes are missing.",
    remedy: NEWER_NODE,
  };
}

async function checkHttpClient(): Promise<Finding> {
  try {
    await import("wreq-js");
    return { status: "found", detail: "wreq-js, browser-like TLS and HTTP/2" };
  } catch (error) {
    return {
      status: "missing",
      detail: `wreq-js does not load on ${process.platform}-${process.arch}: ${firstLine(error)}`,
      cost: "Pages are fetched with a plain HTTP client, which is slower and blocked by some sites.",
      remedy: "Run npm ci --ignore-scripts again without leaving out optional packages.",
    };
  }
}

async function checkDatabase(): Promise<Finding> {
  try {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    const database = new DatabaseSync(":memory:");
    const row = database.prepare("select sqlite_version() as version").get() as { version: string };
    database.close();
    return { status: "found", detail: `SQLite ${row.version}` };
  } catch (error) {
    return {
      status: "problem",
      detail: `the embedded database does not load: ${firstLine(error)}`,
      cost: "The server does not start.",
      remedy: "Delete node_modules and run npm start.",
    };
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n", 1)[0] ?? "";
}
