import type { Site } from "../site.ts";
import { operate } from "../service-process.ts";
import { openSocket, type PausesStage, type StageSession } from "./stage.ts";

/** A way for messages of others to come to the main thread. */
export interface Entrance {
  /** Where code of sessions runs. */
  readonly level: "auto" | "wasm";
  /** Makes the message. */
  prepare(stage: PausesStage): Promise<Prepared>;
}

/** A message that has only to be sent. */
export interface Prepared {
  /** Resolves when it has been worked on. @throws Error when it was not taken as such a message is. */
  send(): Promise<void>;
  close?(): Promise<void>;
}

type Text = () => string;

/** The body of a request that is answered with this status. Without one it depends on the speed of the machine. */
export function body(path: string, status: number | undefined, text: Text): Entrance {
  return {
    level: "auto",
    async prepare({ post }) {
      const message = text();
      return {
        async send() {
          const answered = await post(path, message);
          expectStatus(answered, status ?? answered);
        },
      };
    },
  };
}

/** A file that is sent. What its text comes to is of no account here. */
export function upload(name: string, text: Text): Entrance {
  return {
    level: "auto",
    async prepare({ upload: send }) {
      const file = new Blob([text()]);
      return { send: async () => void (await send("/v2/parse", name, file)) };
    },
  };
}

/** What a search engine answers. */
export function searchEngine(text: Text): Entrance {
  return {
    level: "auto",
    async prepare({ site, post }) {
      answerJson(site, "/engine/search", text());
      return { send: async () => void (await post("/v2/search", { query: "harbour" })) };
    },
  };
}

/** A message of a client of a session's browser. */
export function cdp(text: Text): Entrance {
  return overSocket(text, async ({ cdpUrl }) => openSocket(cdpUrl, "answered"));
}

/** A message of a viewer of a session. */
export function live(text: Text): Entrance {
  return overSocket(text, async ({ liveUrl }) => openSocket(liveUrl, "closed"));
}

/** What code in a session does. */
export function code(text: string, level: Entrance["level"] = "auto"): Entrance {
  return inSession(level, async (session) => {
    await session.run("1");
    return async () => expectStatus(await session.run(text), 200);
  });
}

/** What a language model answers. */
export function model(text: Text): Entrance {
  return {
    level: "auto",
    async prepare({ site, post }) {
      const message = { role: "assistant", content: text() };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      answerJson(site, "/model/v1/chat/completions", JSON.stringify({ choices, usage }));
      const url = site.page("/asked", "<h1>Harbour</h1><p>The harbour was opened in 1874.</p>");
      const schema = { type: "object", properties: { opened: { type: "string" } } };
      const request = { url, formats: [{ type: "json", schema, prompt: "When was it opened?" }], maxAge: 0 };
      return { send: async () => expectStatus(await post("/v2/scrape", request), 200) };
    },
  };
}

/** What a provider of tools answers. */
export function provider(text: Text): Entrance {
  return {
    level: "auto",
    async prepare({ site, post }) {
      answerJson(site, "/provider", text());
      const request = { alexandria: { provider: "shop", capability: "read", options: {} } };
      return { send: async () => expectStatus(await post("/v2/scrape", request), 200) };
    },
  };
}

/** What a script of the caller comes to on a page. */
export function script(text: string, status: number): Entrance {
  return {
    level: "auto",
    async prepare({ site, post }) {
      const url = site.page("/script", "<h1>Script</h1>");
      const request = { url, actions: [{ type: "executeJavascript", script: text }], maxAge: 0 };
      return { send: async () => expectStatus(await post("/v2/scrape", request), status) };
    },
  };
}

/** A page that is scraped. */
export function page(text: Text): Entrance {
  return {
    level: "auto",
    async prepare({ site, post }) {
      const url = site.page("/large", text());
      return { send: async () => expectStatus(await post("/v2/scrape", { url, maxAge: 0 }), 200) };
    },
  };
}

/** The stored answer of a large page, which is read with a key that may ask for some formats, or by a model. */
export function storedAnswer(text: Text, reader: "restricted key" | "model"): Entrance {
  return {
    level: "auto",
    async prepare({ site, ask, post, service, teamId }) {
      const request = { url: site.page("/stored", text()), formats: ["markdown", "rawHtml"], maxAge: 0 };
      const { data } = await ask("POST", "/v2/scrape", { ...request, storeInCache: false });
      const scrapeId = data?.metadata?.scrapeId;
      if (scrapeId === undefined) throw new Error("The page was not stored.");
      const restrictions = { formats: ["markdown", "rawHtml"] };
      const made = await operate(service.url, `teams/${teamId}/keys`, { restrictions });
      const headers = { authorization: `Bearer ${(made as { readonly apiKey: string }).apiKey}` };
      const params = { name: "read_document", arguments: { scrapeId } };
      return {
        async send() {
          if (reader === "model") {
            expectStatus(await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }), 200);
            return;
          }
          const response = await fetch(`${service.url}/v2/scrape/${scrapeId}`, { headers });
          await response.arrayBuffer();
          expectStatus(response.status, 200);
        },
      };
    },
  };
}

/** A page of a job, whose document is sent to a webhook. */
export function webhook(text: Text): Entrance {
  return {
    level: "auto",
    async prepare({ site, post }) {
      const url = site.page("/of-a-job", text());
      const received = new Promise<void>((resolve) => {
        site.page("/hook", (request, response) => {
          request.resume().on("end", () => {
            response.end();
            resolve();
          });
        });
      });
      const request = { urls: [url], webhook: { url: site.url("/hook"), events: ["page"] } };
      return {
        async send() {
          expectStatus(await post("/v2/batch/scrape", request), 200);
          await received;
        },
      };
    },
  };
}

function overSocket(
  text: Text,
  open: (session: StageSession) => Promise<(message: string) => Promise<void>>,
): Entrance {
  return inSession("auto", async (session) => {
    const say = await open(session);
    const message = text();
    return () => say(message);
  });
}

function inSession(
  level: Entrance["level"],
  prepare: (session: StageSession) => Promise<() => Promise<void>>,
): Entrance {
  return {
    level,
    async prepare({ openSession }) {
      const session = await openSession();
      return { send: await prepare(session), close: () => session.close() };
    },
  };
}

function answerJson(site: Site, path: string, text: string): void {
  site.page(path, (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  });
}

function expectStatus(status: number, wanted: number): void {
  if (status !== wanted) throw new Error(`The message was answered with ${status} instead of ${wanted}.`);
}
