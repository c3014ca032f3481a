import type { RequestListener } from "node:http";

import { readVersion } from "../api/version.ts";
import type { Upgrades } from "../http/upgrades.ts";
import type { Drain } from "@pergamon-dev/kit/drain";
import type { NodeFacts } from "../storage/coordination/nodes.ts";
import { type AppContext, reporter } from "./context.ts";
import type { NodePart } from "./nodes.ts";

interface NodeServiceNeeds {
  readonly nodes: NodePart;
  readonly drain: Drain;
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
  /** How this process does. */
  readonly figures: () => Pick<
    NodeFacts,
    "fetching" | "waiting" | "overloaded" | "sessions" | "memoryBytes" | "eventLoopLagMs"
  >;
}

/** Answers the other nodes, and tells them how this one does. */
export async function serveNodes(
  context: AppContext,
  { nodes, drain, handler, upgrades, figures }: NodeServiceNeeds,
): Promise<void> {
  const { config, log } = context;
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
