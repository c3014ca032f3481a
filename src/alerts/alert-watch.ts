import type { AlertRules } from "../contract/operator/alerts.ts";
import { uuidV7 } from "../kit/uuid.ts";
import type { Database, Statements } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { ALERT_JOB } from "./alert-delivery.ts";
import {
  type AlertRow,
  beginAlert,
  type Channel,
  endAlert,
  insertMessage,
  listAlerts,
} from "./alert-rows.ts";
import type { AlertStore, VersionedAlertSettings } from "./alert-store.ts";
import { type AlertSources, type Cause, findCauses } from "./causes.ts";
import { type News, noticeOf } from "./notice.ts";

export interface AlertWatchParts {
  readonly database: Database;
  readonly store: Pick<AlertStore, "read">;
  readonly sources: AlertSources;
  readonly jobs: Pick<Jobs, "add">;
  readonly clock: () => number;
}

/** An alert that has been off for so long is over: one that comes and goes is reported once. */
const OVER_AFTER_MS = 5 * 60 * 1000;
/** Parts and teams have bounds of their own, which are lower. */
const MAX_ALERTS = 10_000;

/** Looks what is the matter, and reports it: when it begins and when it ends. */
export class AlertWatch {
  readonly #parts: AlertWatchParts;

  constructor(parts: AlertWatchParts) {
    this.#parts = parts;
  }

  /** Looks once. Sends at most one message per channel. */
  async look(): Promise<void> {
    const { database, store, sources, clock } = this.#parts;
    const settings = await store.read();
    if (settings.version === 0) return;
    const nowMs = clock();
    const causes = await findCauses(settings.rules, sources, nowMs);
    await database.transaction(async (inside) => {
      const news = await this.#noteNews(inside, { causes, rules: settings.rules, nowMs });
      if (news.length > 0) await this.#tell(inside, { news, settings, nowMs });
    });
  }

  async #noteNews(inside: Statements, found: Found): Promise<readonly News[]> {
    const { causes, rules, nowMs } = found;
    const began: News[] = [];
    for (const cause of causes) {
      if (await beginAlert(inside, cause, nowMs)) began.push({ ...cause, state: "began", sinceMs: nowMs });
    }
    const over: News[] = [];
    for (const alert of await listAlerts(inside, MAX_ALERTS)) {
      const isWatched = isAskedFor(alert, rules);
      if (isWatched && nowMs - alert.seenAtMs < OVER_AFTER_MS) continue;
      if ((await endAlert(inside, alert.cause)) && isWatched)
        over.push({ ...alert, state: "over", sinceMs: alert.beganAtMs });
    }
    return [...began, ...over];
  }

  async #tell(inside: Statements, { news, settings, nowMs }: Told): Promise<void> {
    const { title, body } = noticeOf(news, nowMs);
    for (const channel of channelsOf(settings)) {
      const id = uuidV7(nowMs);
      await insertMessage(inside, { id, channel, title, body: JSON.stringify(body), createdAtMs: nowMs });
      await this.#parts.jobs.add(inside, [{ kind: ALERT_JOB, group: "alerts", payload: id }]);
    }
  }
}

interface Found {
  readonly causes: readonly Cause[];
  readonly rules: AlertRules;
  readonly nowMs: number;
}

interface Told {
  readonly news: readonly News[];
  readonly settings: VersionedAlertSettings;
  readonly nowMs: number;
}

export function channelsOf({ webhook, mail }: Pick<VersionedAlertSettings, "webhook" | "mail">) {
  const channels: Channel[] = [];
  if (webhook) channels.push("webhook");
  if (mail.length > 0) channels.push("mail");
  return channels;
}

/** Alerts of a rule that was switched off meanwhile end without a word. */
function isAskedFor({ cause }: AlertRow, { parts, errorRate, credits }: AlertRules): boolean {
  if (cause.startsWith("part ")) return parts;
  return cause.startsWith("credits ") ? credits !== null : errorRate !== null;
}
