import { setImmediate as nextTurn } from "node:timers/promises";

import type { AuditLog } from "../../accounts/audit.ts";
import { getTeam } from "../../accounts/teams.ts";
import type { Database } from "../../storage/database/database.ts";
import { bodyOf } from "./delivery.ts";
import type { Outbox } from "./outbox.ts";
import type { WebhookSecrets } from "./signature.ts";
import {
  countEvents,
  type EventFilter,
  type EventRow,
  type EventState,
  getEvent,
  listEvents,
} from "./webhook-events.ts";
import { getQueue, getReceiver, type ReceiverRow } from "./webhook-queues.ts";

interface WebhookServiceParts {
  readonly database: Database;
  readonly outbox: Pick<Outbox, "resend" | "settingOf">;
  readonly documentOf: Parameters<typeof bodyOf>[2];
  readonly signing: WebhookSecrets;
  readonly audit: Pick<AuditLog, "write">;
}

export interface ReceiverReport extends ReceiverRow {
  readonly counts: Readonly<Record<EventState, number>>;
}

/** Events that one transaction resends. */
const SLICE = 100;

/** Shows and resends webhook events for the operator, and manages their secrets. */
export class WebhookService {
  readonly #parts: WebhookServiceParts;

  constructor(parts: WebhookServiceParts) {
    this.#parts = parts;
  }

  /** The secret that signs the webhooks of a team. @throws NotFoundError when there is no such team. */
  async secretOf(teamId: string): Promise<string> {
    await getTeam(this.#parts.database, teamId);
    return this.#parts.signing.of(teamId);
  }

  /** @returns the new secret. @throws NotFoundError; ConflictError when the settings contain the secret. */
  async rotateSecret(teamId: string): Promise<string> {
    await getTeam(this.#parts.database, teamId);
    const secret = await this.#parts.signing.rotate(teamId);
    await this.#parts.audit.write({ kind: "webhookSecret.rotated", teamId, details: {} });
    return secret;
  }

  /** Undefined for a job without a webhook. */
  async receiverOf(jobId: string): Promise<ReceiverReport | undefined> {
    const { database } = this.#parts;
    const queue = await getQueue(database, jobId);
    const receiver = queue && (await getReceiver(database, queue.receiverId));
    return receiver && { ...receiver, counts: await countEvents(database, jobId) };
  }

  /** Newest first. */
  events(filter: EventFilter): Promise<readonly EventRow[]> {
    return listEvents(this.#parts.database, filter);
  }

  /**
   * What is sent and what was answered last; a body whose document is not kept any more is null. Undefined
   * when there is no such event.
   */
  async exchangeOf(eventId: string): Promise<{ body: string | null; answer: string | null } | undefined> {
    const { database, outbox, documentOf } = this.#parts;
    const event = await getEvent(database, eventId);
    const queue = event && (await getQueue(database, event.jobId));
    if (!event || !queue) return undefined;
    const pieces = await bodyOf(event, outbox.settingOf(event.jobId, queue.setting), documentOf);
    const body = pieces ? Buffer.concat(pieces).toString("utf8") : null;
    return { body, answer: event.lastAnswer };
  }

  /** Resends one event. @returns false when no ended event has this id. */
  resend(eventId: string): Promise<boolean> {
    const { database, outbox } = this.#parts;
    return database.transaction((tx) => outbox.resend(tx, eventId));
  }

  /** Resends the dead events of a job, oldest first. @returns how many. */
  async resendDead(jobId: string): Promise<number> {
    const { database, outbox } = this.#parts;
    let [resent, last] = [0, 0];
    for (;;) {
      const dead = await database
        .prepared<{ id: string; sequence: number }>(
          `SELECT id, sequence FROM webhook_events WHERE run_id = ? AND state = 'dead' AND sequence > ?
           ORDER BY sequence LIMIT ?`,
        )
        .all(jobId, last, SLICE);
      if (dead.length === 0) return resent;
      last = dead.at(-1)?.sequence ?? last;
      await database.transaction(async (tx) => {
        for (const { id } of dead) if (await outbox.resend(tx, id)) resent += 1;
      });
      await nextTurn();
    }
  }
}
