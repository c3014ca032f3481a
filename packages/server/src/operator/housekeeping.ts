import { deliverAudit } from "../accounts/audit-delivery.ts";
import type { Accounts } from "../accounts/open.ts";
import { type Context, reporter } from "../config/context.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import type { Net } from "../net/open.ts";
import { post } from "../net/post.ts";
import { Leader } from "../storage/coordination/leader.ts";
import type { Storage } from "../storage/open.ts";
import { noted, PARTS } from "../storage/part-health.ts";

/** Interval of deleting data that is too old or exceeds its limits. */
const PRUNE_INTERVAL_MS = 60_000;
/** The first run comes earlier, so that a service which never runs for a minute prunes, too. */
const FIRST_PRUNE_MS = 5000;
/** Another process takes over pruning when the pruning process has not renewed its lease for this long. */
const PRUNE_LEAD_TTL_MS = 150_000;
/** Interval of sending new audit events, which is followed by the timeout of one delivery. */
const AUDIT_INTERVAL_MS = 2000;
const AUDIT_TIME_LIMIT_MS = 30_000;
/** Another process takes over sending this long after the sending process has died. */
const AUDIT_LEAD_TTL_MS = 10_000;

type Below = Context & Storage & Net & Accounts;

/** Starts the recurring work besides requests. */
export function startHousekeeping(context: Below): void {
  if (!context.config.nodes.roles.has("work")) return;
  pruneTogether(context);
  sendAudit(context);
}

/** Of all processes that share the stores, one prunes. */
function pruneTogether({ log, resources, database, coordinator, teamData }: Below): void {
  const leader = new Leader({ coordinator, name: "prune", ttlMs: PRUNE_LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const onError = reporter(log, "Pruning failed.");
  const prune = () =>
    leader.lead(async () => {
      await teamData.prune();
      await database.checkpoint?.();
      log.debug("Expired and excess data was deleted.");
    });
  resources.add(repeat(PRUNE_INTERVAL_MS, prune, onError), (pruning) => pruning.stop());
  const first = setTimeout(() => void prune().catch(onError), FIRST_PRUNE_MS).unref();
  resources.add(first, clearTimeout);
}

function sendAudit(context: Below): void {
  const { config, log, resources, database, coordinator, audit, guard, health } = context;
  const { collector } = config.audit;
  if (!collector) return;
  const { url, apiKey } = collector;
  const headers = {
    "content-type": "application/x-ndjson",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const send = async (lines: string, isLeading: AbortSignal) => {
    const signal = AbortSignal.any([isLeading, AbortSignal.timeout(AUDIT_TIME_LIMIT_MS)]);
    await noted(health, { part: PARTS.collector }, async () => {
      const { status } = await post({ url: new URL(url), headers, body: lines }, guard, signal);
      if (status < 200 || status > 299) throw new Error(`The collector of the audit log answered ${status}.`);
    });
  };
  const delivery = { database, audit, collector: url, send };
  const leader = new Leader({ coordinator, name: `audit ${url}`, ttlMs: AUDIT_LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const deliver = () => leader.lead((signal) => deliverAudit(delivery, signal));
  const sending = repeat(AUDIT_INTERVAL_MS, deliver, reporter(log, "The audit log could not be sent."));
  resources.add(sending, (repeated) => repeated.stop());
}
