import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Clock } from "../../storage/clock/clock.ts";
import type { Statements } from "../../storage/database/database.ts";
import type { Jobs } from "../queue/jobs.ts";
import type { Secrets } from "../../storage/secrets/secrets.ts";
import type { NewDocument } from "../documents.ts";
import type { NewError } from "../errors.ts";
import type { JobRun, WebhookSetting } from "../run-rows.ts";
import type { OwnEvent, RunEnd, RunEvents, StartedRun } from "../run-events.ts";
import { firstWaiting, insertEvent, markHanded, type NewEvent, reviveEvent } from "./webhook-events.ts";
import {
  getQueue,
  getReceiver,
  nextQueue,
  noteHanded,
  noteRevived,
  openQueue,
  setMayHand,
} from "./webhook-queues.ts";

export interface OutboxParts {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, "seal" | "open">;
}

/** @property word what follows the first dot of its type: `check.completed`. */
export type FamilyEvent = Pick<NewEvent, "isSuccess" | "isBarrier"> & {
  readonly word: string;
  readonly body: string;
  readonly error?: string | undefined;
};

/** Kinds of jobs: the first attempts of events, and later ones, so that receivers that fail take no slots of others. */
export const FIRST_ATTEMPT = "webhook";
export const LATER_ATTEMPT = "webhook-again";

/** Attempts at once at a receiver, for one that is well and for one that has failed. */
const HANDED_WHEN_WELL = 4;
const HANDED_WHEN_FAILING = 1;

/** What webhooks tell, written in the transaction in which it happens, and handed to the engine in order. */
export class Outbox implements Omit<RunEvents, "changed"> {
  readonly #parts: OutboxParts;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** A run begins, or continues: its setting holds from now on. */
  async started(inside: Statements, run: StartedRun): Promise<void> {
    if (run.webhook) await this.#open(inside, run, run.webhook);
    await this.#add(inside, run.id, "started", { isSuccess: true, isBarrier: true });
  }

  async pageMade(inside: Statements, { id }: JobRun, { scrapeId, body }: NewDocument): Promise<void> {
    await this.#add(inside, id, "page", { isSuccess: true, isBarrier: false, scrapeId, body });
  }

  async pageFailed(inside: Statements, { id }: JobRun, { url, message }: NewError): Promise<void> {
    const page = { isSuccess: false, isBarrier: false, pageUrl: url, error: message };
    await this.#add(inside, id, "page", page);
  }

  async happened(inside: Statements, { id }: JobRun, { word, body }: OwnEvent): Promise<void> {
    await this.#add(inside, id, word, { isSuccess: true, isBarrier: false, body });
  }

  async ended(inside: Statements, { id, state }: JobRun, { error, result }: RunEnd): Promise<void> {
    const isSuccess = state === "completed";
    await this.#add(inside, id, state, { isSuccess, isBarrier: true, error, body: result });
  }

  /** Opens the webhooks of a run that tells events of its own. */
  async open(inside: Statements, run: Omit<StartedRun, "webhook">, webhook: WebhookSetting): Promise<void> {
    await this.#open(inside, run, webhook);
  }

  /** Tells an event of a family's own. @param event with the JSON of its only datum as `body`. */
  async tell(inside: Statements, runId: string, event: FamilyEvent): Promise<void> {
    const { word, ...told } = event;
    await this.#add(inside, runId, word, told);
  }

  /** Has the engine try what may be tried now at a receiver. */
  async handOut(inside: Statements, receiverId: string): Promise<void> {
    const receiver = await getReceiver(inside, receiverId);
    if (!receiver || receiver.pausedUntilMs > this.#parts.clock.now()) return;
    const most = receiver.failures > 0 ? HANDED_WHEN_FAILING : HANDED_WHEN_WELL;
    let free = most - receiver.handed;
    while (free > 0) {
      const queue = await nextQueue(inside, receiverId);
      if (!queue) return;
      const event = queue.isBarrierUnderWay ? undefined : await firstWaiting(inside, queue.runId);
      if (!event || (event.isBarrier && queue.underWay > 0)) {
        await setMayHand(inside, queue.runId, false);
        continue;
      }
      await markHanded(inside, event.id, receiverId);
      await noteHanded(inside, queue, event.isBarrier === 1);
      await this.attempt(inside, { eventId: event.id, runId: queue.runId, kind: FIRST_ATTEMPT });
      free -= 1;
    }
  }

  /** Adds an attempt to the jobs. */
  async attempt(
    inside: Statements,
    { eventId, runId, kind, runAtMs }: { eventId: string; runId: string; kind: string; runAtMs?: number },
  ): Promise<void> {
    const time = runAtMs === undefined ? {} : { runAtMs };
    await this.#parts.jobs.add(inside, [{ kind, group: `webhooks ${runId}`, payload: eventId, ...time }]);
  }

  /**
   * Has an event that was delivered or is dead tried again, with all its attempts, although its receiver may be paused.
   * @returns false when there is none of this id, or it is under way.
   */
  async resend(inside: Statements, eventId: string): Promise<boolean> {
    const event = await reviveEvent(inside, eventId);
    if (!event) return false;
    await noteRevived(inside, event);
    await this.attempt(inside, { eventId, runId: event.runId, kind: LATER_ATTEMPT });
    await this.handOut(inside, event.receiverId);
    return true;
  }

  settingOf(runId: string, sealed: string): WebhookSetting {
    const opened = this.#parts.secrets.open(Buffer.from(sealed, "base64"), purposeOf(runId));
    return JSON.parse(Buffer.from(opened).toString("utf8")) as WebhookSetting;
  }

  async #open(
    inside: Statements,
    { id, teamId, family }: StartedRun,
    webhook: WebhookSetting,
  ): Promise<void> {
    const sealed = this.#parts.secrets.seal(Buffer.from(JSON.stringify(webhook)), purposeOf(id));
    await openQueue(
      inside,
      {
        runId: id,
        teamId,
        receiverId: sha256Hex(`${teamId} ${webhook.url}`),
        family,
        events: JSON.stringify(webhook.events),
        setting: Buffer.from(sealed).toString("base64"),
      },
      new URL(webhook.url).origin,
    );
  }

  async #add(
    inside: Statements,
    runId: string,
    word: string,
    event: Omit<NewEvent, "runId" | "teamId" | "receiverId" | "type">,
  ): Promise<void> {
    const queue = await getQueue(inside, runId);
    if (!queue) return;
    const type = `${queue.family}.${word}`;
    if (!isWanted(type, JSON.parse(queue.events) as readonly string[])) return;
    const { teamId, receiverId } = queue;
    await insertEvent(inside, { ...event, runId, teamId, receiverId, type }, this.#parts.clock.now());
    await setMayHand(inside, runId, true);
    await this.handOut(inside, receiverId);
  }
}

/** Contract of the families, section 6.1: by the full name, by what follows the first dot, or by the second word. */
function isWanted(type: string, events: readonly string[]): boolean {
  if (events.length === 0) return true;
  const rest = type.slice(type.indexOf(".") + 1);
  const word = rest.split(".")[0];
  return events.some((event) => event === type || event === rest || event === word);
}

function purposeOf(runId: string): string {
  return `webhook:${runId}`;
}
