import { repeat } from "@pergamon-dev/kit/repeat";
import { Leader } from "../storage/coordination/leader.ts";
import { post } from "../net/post.ts";
import { Alerts, type SendAlert } from "../operator/health/alerts.ts";
import type { AskedPart } from "../operator/health/readiness.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Families } from "./families.ts";
import { type Network, openMailServer } from "./network.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Stores } from "./stores.ts";

interface AlertNeeds {
  readonly stores: Stores;
  readonly kept: Pick<RetainedData, "health">;
  readonly families: Pick<Families, "runs">;
  readonly network: Network;
  readonly asked: readonly AskedPart[];
}

const LOOK_INTERVAL_MS = 30_000;
/** Another process looks when the one that did has not been heard of for so long. */
const LEAD_TTL_MS = 90_000;

/** Tells the operator of parts that fail, where the settings say whom. One of the processes over a database looks. */
export function startAlerts(context: AppContext, needs: AlertNeeds): void {
  const { log, resources } = context;
  const { database, coordinator } = needs.stores;
  const channels = channelsOf(context, needs);
  if (channels.size === 0) return;
  const alerts = new Alerts({
    database,
    jobs: needs.families.runs.jobs,
    clock: database.nowMs ?? Date.now,
    channels,
    asked: needs.asked.filter(({ isBrief }) => !isBrief),
    used: () => needs.kept.health.read(),
    onLost: () => log.error("An alert was not sent: all attempts have failed."),
  });
  alerts.work();
  const leader = new Leader({ coordinator, name: "alerts", ttlMs: LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const look = () => leader.lead(() => alerts.look());
  const onError = reporter(log, "Alerts could not be checked.");
  resources.add(repeat(LOOK_INTERVAL_MS, look, onError), (looking) => looking.stop());
}

function channelsOf(context: AppContext, { kept, network }: AlertNeeds): ReadonlyMap<string, SendAlert> {
  const { alertWebhook, alertRecipients } = context.config.mail;
  const mail = openMailServer(context, kept);
  const webhook: SendAlert = async (message, signal) => {
    const headers = { "content-type": "application/json" };
    const sent = { url: new URL(alertWebhook ?? ""), headers, body: JSON.stringify(message) };
    const status = await post(sent, network.guard, signal);
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
