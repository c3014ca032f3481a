import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

import type { FastifyInstance } from "fastify";

import { openReference, referenceOperations } from "../../packages/server/src/http/reference.ts";
import { addDashboardPages } from "../../packages/server/src/http/routes/dashboard.ts";
import { addDocsAssets } from "../../packages/server/src/http/routes/docs.ts";
import type { OperationDescription, Shape } from "../../packages/server/src/api/operation-shape.ts";
import { OperatorEvent } from "../../packages/server/src/operator/overview.ts";
import { requireRole } from "../../packages/server/src/accounts/operators.ts";
import type { OperatorRoutes } from "../../packages/server/src/operator/operator-routes.ts";
import type { Call } from "../../packages/server/src/api/call.ts";
import type { Operation } from "../../packages/server/src/api/operation.ts";
import { Follow, Outgoing } from "../../packages/server/src/api/outgoing.ts";
import { ofTestFile } from "../../packages/kit/src/test-file.suite.ts";
import { build } from "../built.ts";
import { operations } from "../operations.ts";
import { addOperations } from "../serve-operations.ts";
import { openLastingServer } from "../server.ts";
import { type Look, newVisit, settle, type Visit } from "./pages.ts";

/** What an operation answers, by its line: a body, or how it is made from the call. What it throws is answered as such. */
export type Answers = Readonly<Record<string, unknown>>;

/** What an answer may depend on. */
export interface Asked extends Pick<Call, "params" | "headers"> {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request that the dashboard made. */
interface Sent extends Asked {
  readonly line: string;
}

/** A page whose requests are answered for it alone. */
export interface ScreenVisit extends Visit {
  /** Bodies and parameters of the requests of these lines, or else of all that change something, oldest first. */
  sent(line?: string): readonly Sent[];
  /** Replaces answers. */
  answer(answers: Answers): void;
  /** Tells an event of the service to every tab. */
  tell(event: OperatorEvent["event"], data: object): void;
  /** How many streams of events its tabs have open. */
  streams(): number;
}

/** The built dashboard over a service that answers with the examples of its operations, through the layers of the real one. */
export interface Screens {
  readonly url: string;
  /** Opens a page; a browser of its own unless it is a tab of another visit. */
  visit(path: string, answers?: Answers, options?: VisitOptions): Promise<ScreenVisit>;
  /** Ends all connections, and takes no others until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

interface VisitOptions {
  readonly look?: Look;
  /** Does not wait until the screen is drawn. */
  readonly isUnsettled?: true;
}

/** What one visit is answered, and what it has asked. */
interface Stand {
  answers: Answers;
  readonly sent: Sent[];
  readonly complaints: string[];
  readonly streams: Set<ServerResponse>;
}

/** Nothing is waited for but drawing, also on a busy machine. */
const ANSWER_MS = 20_000;
const VISIT_HEADER = "x-visit";
const stands = new Map<string, Stand>();
let visits = 0;
let shared: Promise<Screens> | undefined;

/** The screens that all files of a worker share: visits keep them apart. */
export function sharedScreens(): Promise<Screens> {
  return (shared ??= openLastingScreens());
}

/** Screens whose service may go away. They are closed after the test file. */
export async function openScreens(): Promise<Screens> {
  return ofTestFile.add(await openLastingScreens(), (screens) => screens.close());
}

async function openLastingScreens(): Promise<Screens> {
  await build();
  const { app, url, close } = await openLastingServer(addScreens);
  const { port } = app.server.address() as AddressInfo;
  // The end of the worker is that of the shared ones.
  app.server.unref();
  return {
    url,
    async visit(path, answers = {}, { look, isUnsettled } = {}) {
      const name = String((visits += 1));
      const { page, complaints } = await newVisit(url, {
        headers: { [VISIT_HEADER]: name },
        look,
        timeoutMs: ANSWER_MS,
      });
      const stand: Stand = { answers, complaints, sent: [], streams: new Set() };
      stands.set(name, stand);
      await page.goto(url + path);
      if (!isUnsettled) await settle(page);
      return { page, complaints, ...actsOf(stand) };
    },
    async goAway() {
      app.server.close();
      app.server.closeAllConnections();
    },
    comeBack: () => new Promise((done) => void app.server.listen(port, "127.0.0.1", () => done())),
    async close() {
      const closed = close();
      app.server.closeAllConnections();
      await closed;
    },
  };
}

function actsOf(stand: Stand): Pick<ScreenVisit, "sent" | "answer" | "tell" | "streams"> {
  return {
    sent: (line) =>
      stand.sent.filter((one) => (line === undefined ? !one.line.startsWith("GET ") : one.line === line)),
    answer(answers) {
      stand.answers = { ...stand.answers, ...answers };
    },
    tell(event, data) {
      OperatorEvent.parse({ event, data });
      for (const stream of stand.streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    streams: () => stand.streams.size,
  };
}

/** What an operation answers unless a visit says otherwise. */
export function example<Line extends keyof OperatorRoutes>(line: Line): OperatorRoutes[Line]["answer"] {
  const operation = operations.find((one) => one.line === line);
  if (!operation) throw new Error(`There is no operation ${line}.`);
  return exampleOf(operation) as OperatorRoutes[Line]["answer"];
}

/** An operator who changes nothing, and the lines that the service refuses them. */
export const VIEWER = { id: null, name: "Eve", role: "viewer", teamId: null } as const;
export const FORBIDDEN = operations
  .filter((operation) => operation.access === "operator" && isForbidden(operation))
  .map(({ line }) => line);

function isForbidden(operation: OperationDescription): boolean {
  try {
    requireRole(VIEWER, operation, { params: {}, query: {} });
    return false;
  } catch {
    return true;
  }
}

/** What a scrape is answered: these formats, and what is known of the example's page. */
export function scraped(
  formats: object,
  metadata: object = {},
): { readonly success: true; readonly data: object } {
  const answer = operations.find(({ line }) => line === "POST /v2/scrape")?.answer.example;
  const { data } = answer as { readonly data: { readonly metadata: object } };
  return { success: true, data: { ...formats, metadata: { ...data.metadata, ...metadata } } };
}

function addScreens(app: FastifyInstance): void {
  addDashboardPages(app);
  addDocsAssets(app);
  const ofReference = new Set(referenceOperations.map(({ line }) => line));
  const others = operations.filter(({ line }) => !ofReference.has(line as never));
  addOperations(
    app,
    referenceOperations,
    openReference({ auth: "keys", hasDashboard: true, publicUrl: undefined, operations }),
  );
  addOperations(app, others.map(played), undefined);
  app.get("/live/*", (_request, reply) =>
    reply.type("text/html").send("<!doctype html><title>Live</title><p>The live picture</p>"),
  );
}

/** The operation, with checks of what it is asked and answers. */
function played(operation: OperationDescription): Operation<undefined> {
  return {
    ...operation,
    async handle(call: Call) {
      const stand = stands.get(String(call.headers[VISIT_HEADER]));
      if (!stand) throw new Error("Only visits ask.");
      const { line } = operation;
      const asked = await askedOf(call);
      stand.sent.push({ line, ...asked });
      if (line === "GET /admin/api/events") return follow(stand);
      const given = stand.answers[line] ?? exampleOf(operation);
      const answer: unknown = typeof given === "function" ? await given(asked) : given;
      complainUnlessDeclared(operation, answer, stand.complaints);
      return answer;
    },
  };
}

async function askedOf({ params, headers, query, body }: Call): Promise<Asked> {
  const read: unknown = body instanceof Readable ? { text: await text(body) } : body;
  return { params, headers, query: (query ?? {}) as Asked["query"], body: (read ?? {}) as Asked["body"] };
}

function exampleOf({ answer }: OperationDescription): unknown {
  return "schema" in answer ? answer.example : new Outgoing(answer.example, { type: answer.contentType });
}

/** A test that invents what the service would never say proves nothing. */
function complainUnlessDeclared(
  { line, answer, or }: OperationDescription,
  given: unknown,
  complaints: string[],
): void {
  if (given instanceof Outgoing || !("schema" in answer)) return;
  const shapes: readonly Shape[] = or ? [answer, or.answer] : [answer];
  const errors = shapes.map(({ schema }) => schema.safeParse(given).error);
  if (!errors.includes(undefined)) complaints.push(`answer of ${line}: ${errors[0]?.message}`);
}

function follow(stand: Stand): Follow {
  return new Follow((response) => {
    stand.streams.add(response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const status = JSON.stringify(example("GET /admin/api/overview").data.now);
    const tellStatus = () => response.write(`event: status\ndata: ${status}\n\n`);
    tellStatus();
    const timer = setInterval(tellStatus, 1000);
    response.on("close", () => {
      clearInterval(timer);
      stand.streams.delete(response);
    });
  });
}
