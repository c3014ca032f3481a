import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import type { RequestListener, Server } from "node:http";

import { NodePassing } from "../http/node-passing.ts";
import { createNodeServer } from "../http/node-listener.ts";
import type { Upgrades } from "../http/upgrades.ts";
import { repeat } from "../kit/repeat.ts";
import { Nodes } from "../platform/coordination/nodes.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Stores } from "./stores.ts";

const TAG_BYTES = 4;
const TELL_INTERVAL_MS = 5000;

/** This process among the others of its database. */
export interface NodePart {
  /** Marks what this process hands out. */
  readonly tag: string;
  readonly passing: NodePassing;
  processName(): Promise<string>;
  /** Begins to answer what others pass on. */
  listen(handler: RequestListener, upgrades: Upgrades): Promise<void>;
}

/** @returns undefined where no other process is meant to answer for this one. */
export function openNodes(
  context: AppContext,
  { stores, accounts }: { readonly stores: Stores; readonly accounts: Pick<Accounts, "owner"> },
): NodePart | undefined {
  const { config, log } = context;
  const { workers, url, secret } = config.nodes;
  if ((workers === 1 && url === undefined) || secret === undefined) return undefined;
  const tag = randomBytes(TAG_BYTES).toString("hex");
  const nodes = new Nodes(stores.database);
  const onError = reporter(log, "Another process could not be reached.");
  return {
    tag,
    passing: new NodePassing({ nodes, secret, onError }),
    processName: () => accounts.owner.name(),
    async listen(handler, upgrades) {
      const own = await listenTo(createNodeServer({ secret, handler, upgrades }), url);
      const tell = async () => nodes.tell({ tag, process: await accounts.owner.name(), url: own.url });
      context.resources.add(own.server, (server) => void server.close());
      context.resources.add(nodes, (told) => told.leave(tag));
      await tell();
      context.resources.add(repeat(TELL_INTERVAL_MS, tell, onError), (telling) => telling.stop());
    },
  };
}

/** Workers of one machine use ports in a row, or free ones. */
async function listenTo(
  server: Server,
  url: string | undefined,
): Promise<{ readonly server: Server; readonly url: string }> {
  const base = new URL(url ?? "http://127.0.0.1:0");
  const port = url === undefined ? 0 : Number(base.port) + (cluster.worker?.id ?? 1) - 1;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Each worker has one of its own.
    server.listen({ host: base.hostname.replaceAll(/^\[|\]$/g, ""), port, exclusive: true }, resolve);
  });
  const address = server.address();
  base.port = String(typeof address === "object" && address !== null ? address.port : port);
  return { server, url: base.origin };
}
