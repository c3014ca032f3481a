import { tmpdir } from "node:os";

import { ServiceError } from "../../api/errors.ts";
import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import type { Check, Finding } from "./check.ts";
import { nativeClient, PLAIN_CLIENT } from "../../net/native-client.ts";
import { PARTS } from "../../storage/part-health.ts";

/** The first Node 20 that runs everything. Node 20 itself gets no security fixes since 2026-04-30. */
const OLDEST_NODE = [20, 19] as const;
const OLDEST_MAINTAINED_NODE = 22;

const NATIVE_CLIENT_REMEDY =
  "Install again with optional packages (npm ci --ignore-scripts); where the registry has none for this platform, use linux-x64.";

const NEWER_NODE = "Install Node 24 (https://nodejs.org).";

/** Loaded when a check runs. */
const [storage, network, programs, sandboxes] = [
  () => import("./storage.ts"),
  () => import("./network.ts"),
  () => import("./programs.ts"),
  () => import("./sandboxes.ts"),
];

/**
 * All health checks of an installation. `pergamon doctor`, the set-up page, `/readyz` and alerts show them in
 * this order, together with the last use of each part.
 */
export const checks: readonly Check[] = [
  { name: "Node", check: async () => checkNode(process.versions.node) },
  {
    name: "HTTP client",
    isOptional: true,
    check: checkHttpClient,
    async ask() {
      if (!nativeClient) throw Object.assign(new Error(PLAIN_CLIENT), { code: "NO_NATIVE_CLIENT" });
    },
    cost: PLAIN_CLIENT,
    remedy: NATIVE_CLIENT_REMEDY,
  },
  { name: "Database", check: checkDatabase },
  { name: "Data folder", check: async ({ dataDir }) => (await storage()).checkDataFolder(dataDir) },
  { name: "Data privacy", check: async ({ dataDir }) => (await storage()).checkPrivacy(dataDir) },
  { name: "Data", check: async ({ databaseFile }) => (await storage()).checkDatabaseFile(databaseFile) },
  {
    name: "Disk space",
    isQuick: true,
    check: async ({ dataDir }) => (await storage()).checkFreeSpace(dataDir),
  },
  { name: "Temporary folder", check: async () => (await storage()).checkTemporaryFolder(tmpdir()) },
  { name: "Port", check: async ({ host, port }, signal) => (await network()).checkPort(host, port, signal) },
  {
    name: "Name servers",
    check: async ({ nameServers }) => (await network()).checkNameServers(nameServers),
  },
  {
    name: "Outgoing network",
    check: async ({ isIntranet, proxies }) => (await network()).checkWayOut(isIntranet || proxies.length > 0),
  },
  {
    name: PARTS.proxies,
    check: async ({ proxies }) => (await network()).checkProxies(proxies),
    remedy: "Start this proxy, or correct PROXIES.",
  },
  {
    name: "Reachability",
    check: async ({ reach, nameServers }) => (await network()).checkReach(reach, nameServers),
  },
  {
    name: PARTS.browser,
    check: async (settings, signal) => (await import("./browser.ts")).checkBrowser(settings, signal),
  },
  {
    name: "Whole browser",
    check: async (settings, signal) => (await import("./browser.ts")).checkWholeBrowser(settings, signal),
  },
  { name: "Fonts", check: async (settings) => (await import("./fonts.ts")).checkFonts(settings) },
  { name: "Code execution", check: async (settings) => (await sandboxes()).checkInteractCode(settings) },
  { name: "Code memory limit", check: async (settings) => (await sandboxes()).checkBoxBounds(settings) },
  { name: PARTS.documents, check: async (settings) => (await sandboxes()).checkReaders(settings) },
  { name: PARTS.ocr, check: async (settings, signal) => (await programs()).checkOcr(settings, signal) },
  { name: "ffmpeg", check: async (settings, signal) => (await programs()).checkFfmpeg(settings, signal) },
  { name: "yt-dlp", check: async (settings, signal) => (await programs()).checkYtDlp(settings, signal) },
  {
    name: PARTS.model,
    check: async (settings, signal) =>
      (await import("./language-model.ts")).checkLanguageModel(settings, signal),
    cost: "The next model answers instead of this one, or rules do.",
    remedy: "Start the model server, or correct LLM_BASE_URL, LLM_MODEL and LLM_API_KEY.",
  },
  {
    name: PARTS.search,
    cost: "Searches fail, or are answered by the next engine.",
    remedy: "Start the search engine, or correct SEARCH_URL and SEARCH_KEY.",
  },
  {
    name: PARTS.mail,
    cost: "Mail waits, and is sent later.",
    remedy: "Start the mail server, or correct SMTP_URL.",
  },
  {
    name: PARTS.collector,
    cost: "Audit events wait, and are sent later.",
    remedy: "Start the collector, or correct AUDIT_COLLECTOR_URL and AUDIT_COLLECTOR_KEY.",
  },
  {
    name: "database",
    ask: ({ database }) => database.ping(),
    cost: "Requests that are charged are refused. This dashboard can show little, and change nothing.",
    remedy: "Start the database, or correct DATABASE_URL.",
  },
  {
    name: "blobs",
    ask: ({ blobs }) => blobs.ping(),
    cost: "Pages, responses and files can be neither kept nor read.",
    remedy: "Start the store of files, or correct BLOBS_URL.",
  },
  {
    name: "history",
    isOptional: true,
    ask: ({ records }) => records.flush(),
    cost: "Requests are missing from the log and the figures until they can be written. Changes are not stored.",
    remedy: "Free space on the disk of the data folder, or move DATA_DIR to another one.",
  },
  {
    name: "jobs",
    cost: "Pages of jobs wait, and go on by themselves.",
    remedy: "See the other parts that do not work.",
    async ask({ jobs: { lacking } }) {
      // Jobs wait while this resource is lacking. Otherwise they would compete with other work that needs it.
      if (lacking) throw new PartAway(lacking, undefined);
    },
  },
  {
    name: "event loop",
    isBrief: true,
    cost: "All requests were answered late.",
    remedy: "Lower SCRAPE_CONCURRENCY, or give the service another core.",
    async ask({ pressure }) {
      if (!pressure.wasBlocked()) return;
      throw new ServiceError("OVERLOADED", { message: "The service was blocked for a second or more." });
    },
  },
];

/** @param version as in `process.versions.node`. */
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
  if (nativeClient) return { status: "found", detail: "wreq-js, browser-like TLS and HTTP/2" };
  const detail = `wreq-js has no native code that loads on ${process.platform}-${process.arch}`;
  return { status: "missing", detail, cost: PLAIN_CLIENT, remedy: NATIVE_CLIENT_REMEDY };
}

async function checkDatabase(): Promise<Finding> {
  try {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    const database = new DatabaseSync(":memory:");
    const row = database.prepare("select sqlite_version() as version").get() as { version: string };
    database.close();
    return { status: "found", detail: `embedded: SQLite ${row.version}` };
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
