import type { RequestListener } from "node:http";

import { readVersion } from "../contract/version.ts";
import { openLeaseSockets } from "../http/nodes/lease-sockets.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Upgrades } from "../http/upgrades.ts";
import type { Drain } from "../kit/drain.ts";
import type { NodeFacts } from "../platform/coordination/nodes.ts";
import { type AppContext, reporter } from "./context.ts";
import { openLender } from "./lender.ts";
import type { NodePart } from "./nodes.ts";

interface NodeServiceNeeds {
  readonly nodes: NodePart;
  readonly drain: Drain;
  readonly metrics: Pick<Metrics, "addLending">;
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
  /** How this process does. */
  readonly figures: () => Pick<
    NodeFacts,
    "fetching" | "waiting" | "overloaded" | "sessions" | "memoryBytes" | "eventLoopLagMs"
  >;
}

const NOTHING_LENT = { most: 0, free: 0, programs: [] } as const;

/**
 * Answers the other nodes, lends them browsers, and tells them how this one does.
 * @returns how many browsers are lent.
 */
export async function serveNodes(
  context: AppContext,
  { nodes, drain, metrics, handler, upgrades, figures }: NodeServiceNeeds,
): Promise<() => number> {
  const { config, log } = context;
  const lending = await openLender(context);
  if (lending) metrics.addLending(lending.facts);
  const startedAtMs = Date.now();
  const facts = (): NodeFacts => ({
    roles: [...config.nodes.roles],
    version: readVersion(),
    startedAtMs,
    isDraining: drain.hasBegun,
    fetchingLimit: config.scraping.concurrency,
    browsers: lending?.facts() ?? NOTHING_LENT,
    ...figures(),
  });
  const onError = reporter(log, "A browser could not be lent.");
  const leases = lending && openLeaseSockets(lending.lender, onError);
  await nodes.listen({ handler, upgrades, leases, facts });
  drain.onBegin(() => void nodes.tell().catch(onError));
  return () => (lending ? lending.lender.most - lending.lender.free : 0);
}
