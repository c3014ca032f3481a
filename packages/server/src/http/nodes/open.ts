import cluster from "node:cluster";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Accounts } from "../../accounts/open.ts";
import { readVersion } from "../../api/version.ts";
import { type Context, reporter } from "../../config/context.ts";
import type { Drain } from "@pergamon-dev/kit/drain";
import { repeat } from "@pergamon-dev/kit/repeat";
import { type KnownNode, type NodeFacts, Nodes } from "../../storage/coordination/nodes.ts";
import type { Storage } from "../../storage/open.ts";
import { refuseUpgrade, type Upgrades } from "../upgrades.ts";
import { NodePassing } from "./node-passing.ts";
import type { Duplex } from "node:stream";
import { sha256 } from "@pergamon-dev/kit/hash";
import { NODE_CALLER_HEADER, NODE_SECRET_HEADER } from "./node-requests.ts";
import { notePassedOn } from "../passing.ts";

/** Limit for connections without a request. */
const HEADERS_MS = 10_000;
const MAX_CONNECTIONS = 10_000;

const TAG_BYTES = 4;
const TELL_INTERVAL_MS = 5000;

interface NodeServices {
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
  /** Facts about this process for each heartbeat. */
  readonly facts: () => NodeFacts;
}

/** This process among the others of its database. */
export interface NodePart {
  /** Part of the ids that this process hands out. */
  readonly tag: string;
  readonly secret: string;
  readonly passing: NodePassing;
  processName(): Promise<string>;
  /** Lists all live processes. */
  all(): Promise<readonly KnownNode[]>;
  /** The other processes, as of the last heartbeat of this one. */
  others(): readonly KnownNode[];
  /** Milliseconds since the node was last heard of. */
  ageMs(node: KnownNode): number;
  /** Begins to answer forwarded requests. */
  listen(services: NodeServices): Promise<void>;
  /** Publishes changed facts to the others at once. */
  tell(): Promise<void>;
}

export interface NodeContext {
  /** Undefined where no other process can answer for this one. */
  readonly nodes: NodePart | undefined;
}

export function openNodes(context: Context & Storage & Accounts): NodeContext {
  const { config, log, resources, database, owner } = context;
  const { workers, url, secret } = config.nodes;
  if ((workers === 1 && url === undefined) || secret === undefined) return { nodes: undefined };
  const tag = randomBytes(TAG_BYTES).toString("hex");
  const known = new Nodes(database, secret);
  const onError = reporter(log, "Another process could not be reached.");
  const passing = new NodePassing({ nodes: known, secret, onError });
  let others: readonly KnownNode[] = [];
  let tell: () => Promise<void> = async () => undefined;
  const nodes: NodePart = {
    tag,
    secret,
    passing,
    processName: () => owner.name(),
    all: () => known.all(),
    others: () => others,
    ageMs: (node) => known.ageMs(node),
    tell: () => tell(),
    async listen({ facts, handler, upgrades }) {
      const server = createNodeServer({ secret, handler, upgrades });
      const own = await listenTo(server, url);
      tell = async () => {
        const process = await owner.name();
        await known.tell({ tag, process, url: own.url, facts: facts() });
        others = (await known.all()).filter((node) => node.tag !== tag);
      };
      resources.add(server, async () => {
        for (const open of [passing, upgrades]) open.close();
        await new Promise((resolve) => server.close(resolve));
      });
      resources.add(known, (told) => told.leave(tag));
      await tell();
      resources.add(repeat(TELL_INTERVAL_MS, tell, onError), (telling) => telling.stop());
    },
  };
  return { nodes };
}

interface NodeServing {
  readonly drain: Drain;
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
  /** Current load figures of this process. */
  readonly figures: () => Omit<
    NodeFacts,
    "roles" | "version" | "startedAtMs" | "isDraining" | "fetchingLimit"
  >;
}

/** Answers the other nodes, and publishes this node's figures to them. */
export async function serveNodes(
  { config, log, nodes }: Context & NodeContext,
  { drain, handler, upgrades, figures }: NodeServing,
): Promise<void> {
  if (!nodes) return;
  const startedAtMs = Date.now();
  const facts = (): NodeFacts => ({
    roles: [...config.nodes.roles],
    version: readVersion(),
    startedAtMs,
    isDraining: drain.hasBegun,
    fetchingLimit: config.scraping.concurrency,
    ...figures(),
  });
  const onError = reporter(log, "Another process could not be told of the end of this one.");
  await nodes.listen({ handler, upgrades, facts });
  drain.onBegin(() => void nodes.tell().catch(onError));
}

/** Workers of one machine use consecutive ports, or free ones. */
async function listenTo(server: Server, url: string | undefined): Promise<{ readonly url: string }> {
  const base = new URL(url ?? "http://127.0.0.1:0");
  const port = base.port === "0" ? 0 : Number(base.port) + (cluster.worker?.id ?? 1) - 1;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Each worker has its own port.
    server.listen({ host: base.hostname.replaceAll(/^\[|\]$/g, ""), port, exclusive: true }, resolve);
  });
  const address = server.address();
  base.port = String(typeof address === "object" && address !== null ? address.port : port);
  return { url: base.origin };
}

interface NodeListenerParts {
  readonly secret: string;
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
}

/**
 * Creates the server for the other processes. It answers forwarded requests as if they had come to this
 * process.
 */
function createNodeServer({ secret, handler, upgrades }: NodeListenerParts): Server {
  const isKnown = (request: IncomingMessage) => isSame(request.headers[NODE_SECRET_HEADER], secret);
  const server = createServer({ headersTimeout: HEADERS_MS }, (request, response) => {
    if (!isKnown(request)) return void response.writeHead(403, { connection: "close" }).end();
    accept(request);
    handler(request, response);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (!isKnown(request) || !upgrades.wants(request)) return refuseUpgrade(socket, 403);
    accept(request);
    upgrades.take(request, socket, head);
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

function isSame(given: string | string[] | undefined, secret: string): boolean {
  return typeof given === "string" && timingSafeEqual(sha256(given), sha256(secret));
}

/** Takes over the original caller's address, because the address restrictions of keys are checked again. */
function accept(request: IncomingMessage): void {
  notePassedOn(request);
  const caller = request.headers[NODE_CALLER_HEADER];
  delete request.headers[NODE_SECRET_HEADER];
  delete request.headers[NODE_CALLER_HEADER];
  if (typeof caller !== "string") return;
  // NOTE: each forwarded request has a connection of its own.
  Object.defineProperty(request.socket, "remoteAddress", { value: caller, configurable: true });
}
