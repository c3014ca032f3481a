import { type Context, reporter } from "../../config/context.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import type { JobStores } from "../../jobs/job-store.ts";
import type { Net } from "../../net/open.ts";
import { post } from "../../net/post.ts";
import { Leader } from "../../storage/coordination/leader.ts";
import type { Storage } from "../../storage/open.ts";
import { Alerts, type SendAlert } from "./alerts.ts";
import type { AskedPart } from "./readiness.ts";

type Below = Context &
  Storage &
  Net & {
    readonly asked: readonly AskedPart[];
    readonly families: { readonly runs: { readonly stores: JobStores } };
  };

const LOOK_INTERVAL_MS = 30_000;
/**
 * Another process takes over the checks when the checking process has not renewed its lease for this long.
 */
const LEAD_TTL_MS = 90_000;

/**
 * Alerts the operator about failing parts if the settings name a receiver. Of all processes that share a
 * database, one checks.
 */
export function startAlerts(context: Below): void {
  const { log, resources, database, coordinator, health, asked, families } = context;
  const channels = channelsOf(context);
  if (channels.size === 0) return;
  const alerts = new Alerts({
    database,
    queue: families.runs.stores.persistent.queue,
    clock: database.nowMs ?? Date.now,
    channels,
    asked: asked.filter(({ isBrief }) => !isBrief),
    used: () => health.read(),
    onLost: () => log.error("An alert was not sent: all attempts have failed."),
  });
  alerts.work();
  const leader = new Leader({ coordinator, name: "alerts", ttlMs: LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const look = () => leader.lead(() => alerts.look());
  const onError = reporter(log, "Alerts could not be checked.");
  resources.add(repeat(LOOK_INTERVAL_MS, look, onError), (looking) => looking.stop());
}

function channelsOf({ config, mail, guard }: Below): ReadonlyMap<string, SendAlert> {
  const { alertWebhook, alertRecipients } = config.mail;
  const webhook: SendAlert = async (message, signal) => {
    const headers = { "content-type": "application/json" };
    const sent = { url: new URL(alertWebhook ?? ""), headers, body: JSON.stringify(message) };
    const { status } = await post(sent, guard, signal);
    if (status < 200 || status > 299) throw new Error(`The receiver of alerts answered ${status}.`);
  };
  const byMail: SendAlert = async ({ id, text }, signal) => {
    const [first = ""] = text.split("\n");
    await mail?.send({ recipients: alertRecipients, subject: `Pergamon: ${first}`, text, id }, signal);
  };
  return new Map([
    ...(alertWebhook === undefined ? [] : [["webhook", webhook] as const]),
    ...(alertRecipients.length === 0 ? [] : [["mail", byMail] as const]),
  ]);
}
