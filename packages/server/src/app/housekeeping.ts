import { deliverAudit } from "../accounts/audit-delivery.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import { Leader } from "../storage/coordination/leader.ts";
import { post } from "../net/post.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import { noted, PARTS } from "../operator/health/part-health.ts";
import { type RetainedData, pruneAll } from "./retained-data.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";

/** How often what is too old or too much is deleted. */
const PRUNE_INTERVAL_MS = 60_000;
/** The first time comes earlier: a service that never runs for a minute has to prune, too. */
const FIRST_PRUNE_MS = 5000;
/** Another process prunes when the one that did has not been heard of for so long. */
const PRUNE_LEAD_TTL_MS = 150_000;
/** How often new events of the audit log are sent, and how long that may take. */
const AUDIT_INTERVAL_MS = 2000;
const AUDIT_TIME_LIMIT_MS = 30_000;
/** When another process sends after the one that did has died. */
const AUDIT_LEAD_TTL_MS = 10_000;

interface HousekeepingNeeds {
  readonly stores: Stores;
  readonly kept: RetainedData;
  readonly accounts: Accounts;
  readonly network: Network;
}

/** What is done again and again besides the requests. */
export function startHousekeeping(context: AppContext, needs: HousekeepingNeeds): void {
  if (context.config.nodes.roles.has("work")) {
    pruneTogether(context, needs);
    sendAudit(context, needs);
  }
  void tellLostKey(context, needs.kept);
}

/** One of the processes over the same stores prunes for all. */
function pruneTogether({ log, resources }: AppContext, { stores, kept }: HousekeepingNeeds): void {
  const leader = new Leader({ ...stores, name: "prune", ttlMs: PRUNE_LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const onError = reporter(log, "Pruning failed.");
  const prune = () =>
    leader.lead(async () => {
      await pruneAll(kept);
      await stores.database.checkpoint?.();
      log.debug("Expired and excess data was deleted.");
    });
  resources.add(repeat(PRUNE_INTERVAL_MS, prune, onError), (pruning) => pruning.stop());
  const first = setTimeout(() => void prune().catch(onError), FIRST_PRUNE_MS).unref();
  resources.add(first, clearTimeout);
}

/** Sends the audit log to the collector, if there is one. */
function sendAudit({ config, log, resources }: AppContext, needs: HousekeepingNeeds): void {
  const { collector } = config.audit;
  if (!collector) return;
  const { stores, accounts, network, kept } = needs;
  const { url, apiKey } = collector;
  const headers = {
    "content-type": "application/x-ndjson",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const send = async (lines: string, isLeading: AbortSignal) => {
    const signal = AbortSignal.any([isLeading, AbortSignal.timeout(AUDIT_TIME_LIMIT_MS)]);
    await noted(kept.health, { part: PARTS.collector }, async () => {
      const status = await post({ url: new URL(url), headers, body: lines }, network.guard, signal);
      if (status < 200 || status > 299) throw new Error(`The collector of the audit log answered ${status}.`);
    });
  };
  const { database, coordinator } = stores;
  const delivery = { database, audit: accounts.audit, collector: url, send };
  const leader = new Leader({ coordinator, name: `audit ${url}`, ttlMs: AUDIT_LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const deliver = () => leader.lead((signal) => deliverAudit(delivery, signal));
  const sending = repeat(AUDIT_INTERVAL_MS, deliver, reporter(log, "The audit log could not be sent."));
  resources.add(sending, (repeated) => repeated.stop());
}

/** Detects a lost key before encrypted data is needed. */
async function tellLostKey({ log }: AppContext, { profiles }: RetainedData): Promise<void> {
  const problem = await profiles.problem().catch(() => undefined);
  if (problem !== undefined) log.error(problem);
}
