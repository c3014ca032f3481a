import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Clock } from "../../storage/clock/clock.ts";
import type { Statements } from "../../storage/database/database.ts";
import type { TaskQueue } from "../queue/task-queue.ts";
import type { Secrets } from "../../storage/secrets/secrets.ts";
import type { NewDocument } from "../documents.ts";
import type { NewError } from "../errors.ts";
import type { Job, WebhookSetting } from "../job-rows.ts";
import type { OwnEvent, JobEnd, JobEvents, StartedJob } from "../job-events.ts";
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

interface OutboxParts {
  readonly queue: TaskQueue;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, "seal" | "open">;
}

/** @property word rest of the type after the first dot: `check.completed`. */
type FamilyEvent = Pick<NewEvent, "isSuccess" | "isBarrier"> & {
  readonly word: string;
  readonly body: string;
  readonly error?: string | undefined;
};

/**
 * Kinds of jobs. First and later attempts have separate slots, so that failing receivers take none of the
 * others'.
 */
export const FIRST_ATTEMPT = "webhook";
export const LATER_ATTEMPT = "webhook-again";

/** Attempts at once for a receiver that works, and for one that has failed. */
const HANDED_WHEN_WELL = 4;
const HANDED_WHEN_FAILING = 1;

/** Writes webhook events in the transaction of their change, and hands them to the queue in order. */
export class Outbox implements Omit<JobEvents, "changed"> {
  readonly #parts: OutboxParts;
  /** Jobs without webhooks, by the transaction of several pages that has asked. */
  readonly #quiet = new WeakMap<Statements, Set<string>>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Begins or continues a job, whose webhook setting applies from now on. */
  async started(tx: Statements, run: StartedJob): Promise<void> {
    if (run.webhook) await this.#open(tx, run, run.webhook);
    await this.#add(tx, run.id, "started", { isSuccess: true, isBarrier: true });
  }

  async pageMade(tx: Statements, { id }: Job, { scrapeId, body }: NewDocument): Promise<void> {
    await this.#add(tx, id, "page", { isSuccess: true, isBarrier: false, scrapeId, body });
  }

  async pageFailed(tx: Statements, { id }: Job, { url, message }: NewError): Promise<void> {
    const page = { isSuccess: false, isBarrier: false, pageUrl: url, error: message };
    await this.#add(tx, id, "page", page);
  }

  async happened(tx: Statements, { id }: Job, { word, body }: OwnEvent): Promise<void> {
    await this.#add(tx, id, word, { isSuccess: true, isBarrier: false, body });
  }

  async ended(tx: Statements, { id, state }: Job, { error, result }: JobEnd): Promise<void> {
    const isSuccess = state === "completed";
    await this.#add(tx, id, state, { isSuccess, isBarrier: true, error, body: result });
  }

  /** Opens the webhooks of a job with events of its own. */
  async open(tx: Statements, run: Omit<StartedJob, "webhook">, webhook: WebhookSetting): Promise<void> {
    await this.#open(tx, run, webhook);
  }

  /** Sends an event of the family's own. @param event its `body` is the JSON of its only datum. */
  async tell(tx: Statements, jobId: string, event: FamilyEvent): Promise<void> {
    const { word, ...told } = event;
    await this.#add(tx, jobId, word, told);
  }

  /** Hands the queue the events that a receiver may get now. */
  async dispatch(tx: Statements, receiverId: string): Promise<void> {
    const receiver = await getReceiver(tx, receiverId);
    if (!receiver || receiver.pausedUntilMs > this.#parts.clock.now()) return;
    const most = receiver.failures > 0 ? HANDED_WHEN_FAILING : HANDED_WHEN_WELL;
    let free = most - receiver.handed;
    while (free > 0) {
      const queue = await nextQueue(tx, receiverId);
      if (!queue) return;
      const event = queue.isBarrierUnderWay ? undefined : await firstWaiting(tx, queue.jobId);
      if (!event || (event.isBarrier && queue.underWay > 0)) {
        await setMayHand(tx, queue.jobId, false);
        continue;
      }
      await markHanded(tx, event.id, receiverId);
      await noteHanded(tx, queue, event.isBarrier === 1);
      await this.attempt(tx, { eventId: event.id, jobId: queue.jobId, kind: FIRST_ATTEMPT });
      free -= 1;
    }
  }

  async attempt(
    tx: Statements,
    { eventId, jobId, kind, runAtMs }: { eventId: string; jobId: string; kind: string; runAtMs?: number },
  ): Promise<void> {
    const time = runAtMs === undefined ? {} : { runAtMs };
    await this.#parts.queue.add(tx, [{ kind, group: `webhooks ${jobId}`, payload: eventId, ...time }]);
  }

  /**
   * Retries an event that was delivered or is dead, with all its attempts, even if its receiver is paused.
   * @returns false when there is no such event, or it is under way.
   */
  async resend(tx: Statements, eventId: string): Promise<boolean> {
    const event = await reviveEvent(tx, eventId);
    if (!event) return false;
    await noteRevived(tx, event);
    await this.attempt(tx, { eventId, jobId: event.jobId, kind: LATER_ATTEMPT });
    await this.dispatch(tx, event.receiverId);
    return true;
  }

  settingOf(jobId: string, sealed: string): WebhookSetting {
    const opened = this.#parts.secrets.open(Buffer.from(sealed, "base64"), purposeOf(jobId));
    return JSON.parse(Buffer.from(opened).toString("utf8")) as WebhookSetting;
  }

  async #open(tx: Statements, { id, teamId, family }: StartedJob, webhook: WebhookSetting): Promise<void> {
    const sealed = this.#parts.secrets.seal(Buffer.from(JSON.stringify(webhook)), purposeOf(id));
    await openQueue(
      tx,
      {
        jobId: id,
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
    tx: Statements,
    jobId: string,
    word: string,
    event: Omit<NewEvent, "jobId" | "teamId" | "receiverId" | "type">,
  ): Promise<void> {
    const quiet = this.#quiet.get(tx) ?? new Set<string>();
    const queue = quiet.has(jobId) ? undefined : await getQueue(tx, jobId);
    if (!queue) return void (tx.last && this.#quiet.set(tx, quiet.add(jobId)));
    const type = `${queue.family}.${word}`;
    if (!isWanted(type, JSON.parse(queue.events) as readonly string[])) return;
    const { teamId, receiverId } = queue;
    await insertEvent(tx, { ...event, jobId, teamId, receiverId, type }, this.#parts.clock.now());
    await setMayHand(tx, jobId, true);
    await this.dispatch(tx, receiverId);
  }
}

/**
 * Events are selected by full name, by the part after the first dot, or by the second word (contract of the
 * families, section 6.1).
 */
function isWanted(type: string, events: readonly string[]): boolean {
  if (events.length === 0) return true;
  const rest = type.slice(type.indexOf(".") + 1);
  const word = rest.split(".")[0];
  return events.some((event) => event === type || event === rest || event === word);
}

function purposeOf(jobId: string): string {
  return `webhook:${jobId}`;
}
