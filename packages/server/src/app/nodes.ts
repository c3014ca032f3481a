import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import type { RequestListener, Server } from "node:http";

import { createNodeServer } from "../http/nodes/node-listener.ts";
import { NodePassing } from "../http/nodes/node-passing.ts";
import type { Upgrades } from "../http/upgrades.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import { type KnownNode, type NodeFacts, Nodes } from "../storage/coordination/nodes.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Stores } from "./stores.ts";

const TAG_BYTES = 4;
const TELL_INTERVAL_MS = 5000;

interface NodeServices {
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
  /** What this process says of itself at each heartbeat. */
  readonly facts: () => NodeFacts;
}

/** This process among the others of its database. */
export interface NodePart {
  /** Marks what this process hands out. */
  readonly tag: string;
  readonly secret: string;
  readonly passing: NodePassing;
  processName(): Promise<string>;
  /** All that are alive. */
  all(): Promise<readonly KnownNode[]>;
  /** The others, as they were at the last heartbeat of this one. */
  others(): readonly KnownNode[];
  /** Milliseconds since one was heard of. */
  ageMs(node: KnownNode): number;
  /** Begins to answer what others pass on. */
  listen(services: NodeServices): Promise<void>;
  /** Tells the others at once what has changed. */
  tell(): Promise<void>;
}

/** @returns undefined where no other process is meant to answer for this one. */
export function openNodes(
  context: AppContext,
  { stores, accounts }: { readonly stores: Stores; readonly accounts: Pick<Accounts, "owner"> },
): NodePart | undefined {
  const { config, log, resources } = context;
  const { workers, url, secret } = config.nodes;
  if ((workers === 1 && url === undefined) || secret === undefined) return undefined;
  const tag = randomBytes(TAG_BYTES).toString("hex");
  const nodes = new Nodes(stores.database, secret);
  const onError = reporter(log, "Another process could not be reached.");
  const passing = new NodePassing({ nodes, secret, onError });
  let others: readonly KnownNode[] = [];
  let tell: () => Promise<void> = async () => undefined;
  return {
    tag,
    secret,
    passing,
    processName: () => accounts.owner.name(),
    all: () => nodes.all(),
    others: () => others,
    ageMs: (node) => nodes.ageMs(node),
    tell: () => tell(),
    async listen({ facts, handler, upgrades }) {
      const server = createNodeServer({ secret, handler, upgrades });
      const own = await listenTo(server, url);
      tell = async () => {
        const process = await accounts.owner.name();
        await nodes.tell({ tag, process, url: own.url, facts: facts() });
        others = (await nodes.all()).filter((node) => node.tag !== tag);
      };
      resources.add(server, async () => {
        for (const open of [passing, upgrades]) open.close();
        await new Promise((resolve) => server.close(resolve));
      });
      resources.add(nodes, (told) => told.leave(tag));
      await tell();
      resources.add(repeat(TELL_INTERVAL_MS, tell, onError), (telling) => telling.stop());
    },
  };
}

/** Workers of one machine use ports in a row, or free ones. */
async function listenTo(server: Server, url: string | undefined): Promise<{ readonly url: string }> {
  const base = new URL(url ?? "http://127.0.0.1:0");
  const port = base.port === "0" ? 0 : Number(base.port) + (cluster.worker?.id ?? 1) - 1;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Each worker has one of its own.
    server.listen({ host: base.hostname.replaceAll(/^\[|\]$/g, ""), port, exclusive: true }, resolve);
  });
  const address = server.address();
  base.port = String(typeof address === "object" && address !== null ? address.port : port);
  return { url: base.origin };
}
