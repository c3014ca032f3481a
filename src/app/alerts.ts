import { teamsBelow } from "../accounts/low-credits.ts";
import { AlertDelivery } from "../alerts/alert-delivery.ts";
import { AlertDesk } from "../alerts/alert-desk.ts";
import { AlertStore } from "../alerts/alert-store.ts";
import { AlertWatch } from "../alerts/alert-watch.ts";
import type { AlertSources } from "../alerts/causes.ts";
import { readVersion } from "../contract/version.ts";
import { repeat } from "../kit/repeat.ts";
import { Leader } from "../platform/coordination/leader.ts";
import { post } from "../platform/net/post.ts";
import { openSecrets } from "../platform/secrets/secrets.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Families } from "./families.ts";
import { type Network, openMailServer } from "./network.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Stores } from "./stores.ts";

interface AlertNeeds {
  readonly stores: Stores;
  readonly kept: Pick<RetainedData, "figures" | "health">;
  readonly accounts: Pick<Accounts, "audit">;
  readonly families: Pick<Families, "runs">;
  readonly network: Network;
}

/** How often is looked what is the matter. */
const LOOK_INTERVAL_MS = 30_000;
/** Another process looks when the one that did has not been heard of for so long. */
const LEAD_TTL_MS = 90_000;

/** Alerts for the operator, without having asked. */
export async function openAlerts(context: AppContext, needs: AlertNeeds) {
  const { config } = context;
  const { database } = needs.stores;
  const { secretKeys: keys, secretKeyFile: keyFile } = config.stores;
  const store = new AlertStore(database, await openSecrets({ keys, keyFile }));
  const mail = openMailServer(context, needs.kept);
  const { jobs } = needs.families.runs;
  const clock = database.nowMs ?? Date.now;
  const delivery = new AlertDelivery({
    database,
    store,
    mail,
    clock,
    send: (letter, signal) => post(letter, needs.network.guard, signal),
    signatureHeader: config.jobs.webhooks.signatureHeader,
    userAgent: `Pergamon/${readVersion()}`,
  });
  const desk = new AlertDesk({
    database,
    store,
    delivery,
    clock,
    audit: needs.accounts.audit,
    canMail: mail !== undefined,
  });
  const watch = new AlertWatch({ database, store, jobs, clock, sources: sourcesOf(needs, clock) });
  return {
    desk,
    work() {
      jobs.work(delivery.work());
      lookTogether(context, needs, watch);
    },
  };
}

/** One of the processes over the same stores looks for all. */
function lookTogether({ log, resources }: AppContext, { stores }: AlertNeeds, watch: AlertWatch): void {
  const leader = new Leader({ ...stores, name: "alerts", ttlMs: LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const look = () => leader.lead(() => watch.look());
  const onError = reporter(log, "The alerts could not be checked.");
  resources.add(repeat(LOOK_INTERVAL_MS, look, onError), (looking) => looking.stop());
}

function sourcesOf({ stores, kept }: AlertNeeds, clock: () => number): AlertSources {
  return {
    failingParts: () => failingStores(stores),
    partStates: () => kept.health.read(),
    async requestsSince(fromMs) {
      const rows = await kept.figures.read({ span: "minute", fromMs, toMs: Number.MAX_SAFE_INTEGER });
      const sum = (wanted: string) =>
        rows.reduce((total, { kind, pages }) => total + (kind === wanted ? pages : 0), 0);
      return { pages: sum("all"), failed: sum("failed") };
    },
    teamsBelow: (credits, maxTeams) => teamsBelow(stores.database, { credits, maxTeams, nowMs: clock() }),
  };
}

/** Without its database the service cannot send alerts either. */
async function failingStores({ blobs }: Stores): ReturnType<AlertSources["failingParts"]> {
  try {
    await blobs.ping();
    return [];
  } catch (failure) {
    return [{ name: "Blob storage", problem: failure instanceof Error ? failure.message : String(failure) }];
  }
}
