import { isLoopback } from "../kit/loopback.ts";
import { type LendingNode, NodeLeases } from "../platform/browser/lease/node-leases.ts";
import type { KnownNode } from "../platform/coordination/nodes.ts";
import { NODE_SECRET_HEADER } from "../http/nodes/node-requests.ts";
import type { AppContext } from "./context.ts";
import type { NodePart } from "./nodes.ts";

/** A node that is silent for two heartbeats lends nothing. */
const LENDING_SILENT_MS = 12_000;

/** Browsers of other nodes, and where they reach the network guard of this one. */
export interface Borrowed {
  readonly leases: NodeLeases;
  readonly egressHost: string;
}

/** @returns undefined where this process has browsers of its own, or those of `BROWSER_URLS`. */
export function openLeases({ config }: AppContext, nodes: NodePart | undefined): Borrowed | undefined {
  const { roles, url } = config.nodes;
  const { urls, egressHost } = config.browser;
  if (!nodes || url === undefined || roles.has("browse") || urls.length > 0) return undefined;
  const lending = async () =>
    (await nodes.all()).filter((node) => isLending(node, nodes)).map((node) => lendingNode(node));
  const leases = new NodeLeases({ nodes: lending, headers: { [NODE_SECRET_HEADER]: nodes.secret } });
  const own = new URL(url).hostname.replaceAll(/^\[|\]$/g, "");
  return { leases, egressHost: isLoopback(egressHost) ? own : egressHost };
}

function isLending(node: KnownNode, nodes: NodePart): boolean {
  const { roles, isDraining, browsers } = node.facts;
  return (
    roles.includes("browse") && !isDraining && browsers.most > 0 && nodes.ageMs(node) < LENDING_SILENT_MS
  );
}

function lendingNode({ url, facts: { browsers } }: KnownNode): LendingNode {
  return { url, free: browsers.free, programs: browsers.programs };
}
