import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type App, openApp } from "../packages/server/src/app/app.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import type { JobKind } from "../packages/server/src/jobs/job-kind.ts";
import type { ScrapeData } from "../packages/server/src/scrape/answer/schema.ts";
import { type Log, openLog } from "../packages/kit/src/log/log.ts";
import { lazy } from "../packages/kit/src/lazy.ts";
import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";
import { Resources } from "../packages/kit/src/resources.ts";
import { openPageThreads } from "../packages/server/src/scrape/page/threads.ts";
import { writeMigratedFile } from "../packages/server/src/storage/database/migrated-file.suite.ts";
import { IndexThread } from "../packages/server/src/history/page-index/index-thread.ts";
import { testBrowserPath } from "../packages/browser/src/browser.suite.ts";
import { expectDeclared } from "./declared.ts";
import { sharedStores } from "./shared-stores/shared-stores.ts";
import { openSite, type Site } from "./site.ts";

/** A body of an answer. Which members are there depends on the answer; a test that reads a missing one fails. */
export interface AnswerBody {
  readonly success: boolean;
  readonly data: ScrapeData;
  readonly code: string;
  readonly error: string;
  readonly details: readonly Issue[];
}

/** One entry of the `details` of a request that does not fit the schema. */
interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly keys?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
}

/** A whole service that runs in this process, and a web site to scrape. */
export interface World {
  readonly app: App;
  readonly site: Site;
  readonly baseUrl: string;
  readonly dataDir: string;
  /** `POST /v2/scrape`. Text and bytes are sent as they are, everything else as JSON. */
  scrape(body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** A figure of `/metrics`, by its name with labels. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** Starting threads for each service of a test process would cost as much as all that most tests do with it. */
const sharedThreads = lazy(() => ({
  pageThreads: openPageThreads({ most: 1, onError: () => undefined }),
  indexThread: new IndexThread(),
}));

async function writeEmptyDatabase(dataDir: string): Promise<void> {
  await mkdir(join(dataDir, "blobs"), { mode: 0o700 });
  await writeMigratedFile(join(dataDir, "pergamon.db"));
}

/** A whole service that runs in this process. */
export interface Service extends Pick<World, "app" | "baseUrl" | "dataDir" | "close"> {}

/**
 * Opens the service with these settings over those that every test wants. It is closed after the test file, or earlier.
 * @param threads - `own` where a test changes what runs in them
 */
export async function openWorld(
  settings: Readonly<Record<string, string>> = {},
  log?: Log,
  threads: "own" | "shared" = "shared",
  kinds?: readonly JobKind[],
): Promise<World> {
  const site = await openSite();
  const service = await openService(settings, log, threads, kinds).catch(async (failure: unknown) => {
    await site.close();
    throw failure;
  });
  const close = lazy(async () => {
    await service.close();
    await site.close();
  });
  return ofTestFile.add(worldOf(service, site, close), close);
}

/** Parameters are those of {@link openWorld}. */
export async function openService(...parameters: Parameters<typeof openWorld>): Promise<Service> {
  const [settings = {}, log, threads = "shared", kinds] = parameters;
  const resources = new Resources();
  const dataDir = resources.add(await mkdtemp(join(tmpdir(), "world-")), (folder) =>
    rm(folder, { recursive: true, force: true }),
  );
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: "0",
    EGRESS_ALLOW: "127.0.0.1",
    LOG_LEVEL: "silent",
    LOG_FORMAT: "json",
    ...(testBrowserPath && { BROWSER_PATH: testBrowserPath }),
    ...sharedStores(settings["DATA_DIR"] ?? dataDir),
    ...settings,
  });
  // A test with a log of its own looks at how the service starts.
  if (!log && config.stores.databaseUrl === `sqlite:${join(dataDir, "pergamon.db")}`)
    await writeEmptyDatabase(dataDir);
  const lent = threads === "shared" ? sharedThreads() : undefined;
  const app = await openApp(config, log ?? (await openLog(config.logging)), lent, kinds);
  resources.add(app, (opened) => opened.close());
  const baseUrl = await app.server.listen({ host: config.server.host, port: config.server.port });
  return { app, baseUrl, dataDir, close: () => resources.close() };
}

/** What a test does with a service and a site. */
export function worldOf({ app, baseUrl, dataDir }: Service, site: Site, close: () => Promise<void>): World {
  async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return answerOf(`GET ${path}`, await fetch(`${baseUrl}${path}`, { headers }));
  }

  return {
    app,
    site,
    baseUrl,
    dataDir,
    get,
    async scrape(body, headers = {}, signal) {
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      const response = await fetch(`${baseUrl}/v2/scrape`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: isRaw ? body : JSON.stringify(body),
        ...(signal && { signal }),
      });
      return answerOf("POST /v2/scrape", response);
    },
    async metric(name) {
      const text = await (await fetch(`${baseUrl}/metrics`)).text();
      const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
      if (line === undefined) throw new Error(`There is no figure ${name}.`);
      return Number(line.slice(name.length));
    },
    close,
  };
}

/** @throws when the answer is not what the service declares. */
async function answerOf(line: string, response: Response): Promise<Answer> {
  const { status, headers } = response;
  const body = parsed(await response.text());
  const [method = "", path = ""] = line.split(" ");
  expectDeclared({ method, path, status, body });
  return { status, headers, body };
}

function parsed(text: string): AnswerBody {
  return (text === "" ? undefined : JSON.parse(text)) as AnswerBody;
}
