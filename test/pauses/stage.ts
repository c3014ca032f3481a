import { WebSocket } from "ws";

import type { Site } from "../site.ts";
import { makeTeam, type SoakService } from "../service-process.ts";

/** What the largest messages are sent to, and who sends them. */
export interface PausesStage {
  readonly service: SoakService;
  readonly site: Site;
  readonly teamId: string;
  /** Sends JSON, or a text as it is. Resolves with the status of the answer once all of it is there. */
  post(path: string, body: unknown): Promise<number>;
  /** Asks, and reads of the answer which job it is about, and how that is. */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<Asked>;
  /** Sends a file in a form. Resolves with the status of the answer. */
  upload(path: string, name: string, file: Blob): Promise<number>;
  openSession(): Promise<StageSession>;
  /** Starts a batch of these pages, with the texts as they came. */
  openBatch(urls: readonly string[]): Promise<StageBatch>;
}

type Asked = { id?: string; status?: string; data?: Asked; metadata?: { scrapeId?: string } };

export interface StageBatch {
  /** Of its WebSocket. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StageSession {
  readonly cdpUrl: string;
  readonly liveUrl: string;
  /** Resolves with the status of the answer. */
  run(code: string): Promise<number>;
  close(): Promise<void>;
}

const CODE_SECONDS = 10;
/** What the official clients take. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/** A provider whose answer is what the site says at `/provider`. */
export function providersAt(site: Site): object {
  const capability = {
    id: "read",
    description: "Reads.",
    readOnly: true,
    options: { type: "object", properties: {} },
    request: { path: "/provider" },
  };
  const shop = { id: "shop", name: "Shop", kind: "http", description: "Answers.", base: site.url("") };
  return { providers: [{ ...shop, capabilities: [capability] }] };
}

export async function setStage(service: SoakService, site: Site): Promise<PausesStage> {
  const flags = { providerTools: true };
  const { apiKey, teamId } = await makeTeam(service.url, { name: "sender", credits: 1_000_000, flags });
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };

  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return fetch(service.url + path, { method, headers, ...(body !== undefined && { body: text }) });
  }

  return {
    service,
    site,
    teamId,
    ask: async (method, path, body) => (await (await ask(method, path, body)).json()) as object,
    async post(path, body) {
      const response = await ask("POST", path, body);
      await response.arrayBuffer();
      return response.status;
    },
    async upload(path, name, file) {
      const form = new FormData();
      form.append("file", file, name);
      const { authorization } = headers;
      const response = await fetch(service.url + path, {
        method: "POST",
        headers: { authorization },
        body: form,
      });
      await response.arrayBuffer();
      return response.status;
    },
    async openBatch(urls) {
      const response = await ask("POST", "/v2/batch/scrape", { urls, formats: ["rawHtml"], maxAge: 0 });
      const { id } = (await response.json()) as { readonly id: string };
      const { authorization } = headers;
      return {
        url: `${service.url.replace(/^http/, "ws")}/v2/batch/scrape/${id}`,
        headers: { authorization },
      };
    },
    async openSession() {
      const response = await ask("POST", "/v2/browser", {});
      const opened = (await response.json()) as Readonly<Record<string, string>>;
      const { id, cdpUrl, interactiveLiveViewUrl: liveUrl } = opened;
      if (!id || !cdpUrl || !liveUrl) throw new Error(`No session was opened: ${JSON.stringify(opened)}`);
      return {
        cdpUrl,
        liveUrl: liveUrl.replace(/^http/, "ws"),
        run: async (code) => {
          const ran = await ask("POST", `/v2/browser/${id}/execute`, { code, timeout: CODE_SECONDS });
          await ran.arrayBuffer();
          return ran.status;
        },
        close: async () => void (await ask("DELETE", `/v2/browser/${id}`)),
      };
    },
  };
}

/** Connects. @returns what says one thing, and resolves once it is answered, or once the connection is closed for it. */
export async function openSocket(
  url: string,
  until: "answered" | "closed",
): Promise<(message: string) => Promise<void>> {
  const socket = new WebSocket(url, { maxPayload: ANSWER_BYTES });
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("open", resolve));
  return async (message) => {
    const ended = new Promise<void>((resolve) => {
      if (until === "answered") socket.once("message", () => resolve());
      socket.once("close", () => resolve());
    });
    socket.send(message);
    await ended;
    socket.terminate();
  };
}
