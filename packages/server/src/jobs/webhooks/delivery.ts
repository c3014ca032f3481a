import type { Clock } from "../../storage/clock/clock.ts";
import type { Database, Statements } from "../../storage/database/database.ts";
import type { Again, QueuedTask, TaskQueue, Worker } from "../queue/task-queue.ts";
import type { Post, PostAnswer } from "../../net/post.ts";
import type { WebhookSetting } from "../job-rows.ts";
import { FIRST_ATTEMPT, LATER_ATTEMPT, type Outbox } from "./outbox.ts";
import { signatureOf } from "./signature.ts";
import { type EventRow, getEvent, writeAttempt } from "./webhook-events.ts";
import { getQueue, getReceiver, noteTaken, recordEnded } from "./webhook-queues.ts";
import { encodeList } from "@pergamon-dev/kit/encode-members";

/** Sends a body to a receiver, through the guard. @throws when there is no answer. */
export type SendWebhook = (
  post: Post & { readonly body: readonly Uint8Array[] },
  signal: AbortSignal,
) => Promise<PostAnswer>;

interface DeliveryParts {
  readonly database: Database;
  readonly queue: TaskQueue;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly send: SendWebhook;
  readonly secretOf: (teamId: string) => Promise<string>;
  readonly documentOf: Parameters<typeof bodyOf>[2];
  readonly signatureHeader: string;
  readonly userAgent: string;
  /** Pause after the first, second … failure of an event. When all are used, the event is dead. */
  readonly retryMs: readonly number[];
  /** Whether what receivers answer may be kept. */
  readonly keepsAnswers: boolean;
}

const TIMEOUT_MS = 10_000;
/** A socket costs little, and a receiver that does not answer holds it for ten seconds. */
const FIRST_SLOTS = 2000;
const LATER_SLOTS = 500;
/** Attempts after failures of the service itself, such as an unreadable database. */
const ATTEMPTS = 5;
/** A receiver with this many failures in a row gets a pause. */
const FAILURES_TO_PAUSE = 20;
const PAUSE_MS = 15 * 60 * 1000;
const MAX_ERROR_LENGTH = 500;
/** Prefix of the payload of jobs that wake a receiver after its pause. Its id follows. */
const WAKE = "wake ";
/** Headers that this service or HTTP sets. */
const RESERVED_HEADERS = /^(?:host|connection|transfer-encoding|content-.*)$/i;

type Tried = Partial<PostAnswer> & { readonly error?: string };

/** Delivers the events of the outbox. */
export class Delivery {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  work(): readonly Worker[] {
    const workOf = (kind: string, slots: number) =>
      this.#parts.queue.work({
        kind,
        slots,
        attempts: ATTEMPTS,
        run: (task, signal) => this.#run(task, signal),
        giveUp: (task, reason) => this.#bury(task, reason),
      });
    return [workOf(FIRST_ATTEMPT, FIRST_SLOTS), workOf(LATER_ATTEMPT, LATER_SLOTS)];
  }

  async #run(task: QueuedTask, signal: AbortSignal): Promise<Again | undefined> {
    if (task.payload.startsWith(WAKE)) return this.#wake(task);
    const { database, clock } = this.#parts;
    const event = await getEvent(database, task.payload);
    const queue = event && (await getQueue(database, event.jobId));
    const receiver = event && (await getReceiver(database, event.receiverId));
    // The job was deleted meanwhile.
    if (!event || !queue || !receiver || event.state !== "handed") return undefined;
    if (receiver.pausedUntilMs > clock.now()) return { againAtMs: receiver.pausedUntilMs };
    const setting = this.#parts.outbox.settingOf(event.jobId, queue.setting);
    const tried = await this.#try(event, setting, signal);
    await database.transaction((tx) => this.#write(tx, { task, event, tried }));
    return undefined;
  }

  async #try(event: EventRow, setting: WebhookSetting, signal: AbortSignal): Promise<Tried> {
    const { send, secretOf, signatureHeader, userAgent } = this.#parts;
    const body = await bodyOf(event, setting, this.#parts.documentOf);
    if (body === undefined) return { error: "The document is not kept any more." };
    const ours = {
      "content-type": "application/json",
      "user-agent": userAgent,
      [signatureHeader.toLowerCase()]: await signatureOf(body, await secretOf(event.teamId), signal),
    };
    const headers = { ...callersHeaders(setting, Object.keys(ours)), ...ours };
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const url = new URL(setting.url);
      return await send({ url, headers, body }, AbortSignal.any([signal, timeout]));
    } catch (failure) {
      // Stopping and cancelling do not count as attempts.
      signal.throwIfAborted();
      if (timeout.aborted) return { error: `No answer within ${TIMEOUT_MS / 1000} seconds.` };
      return { error: reasonOf(failure).slice(0, MAX_ERROR_LENGTH) };
    }
  }

  async #write(
    tx: Statements,
    {
      task,
      event: seen,
      tried,
    }: { readonly task: QueuedTask; readonly event: EventRow; readonly tried: Tried },
  ): Promise<void> {
    if (!(await task.end(tx))) return;
    const event = await getEvent(tx, seen.id);
    const receiver = event && (await getReceiver(tx, event.receiverId));
    if (!event || !receiver) return;
    const nowMs = this.#parts.clock.now();
    const { status, error = `It answered ${status ?? 0}.` } = tried;
    const isDelivered = status !== undefined && status >= 200 && status < 300;
    const retryMs = isDelivered ? undefined : this.#parts.retryMs[event.attempts];
    const nextAtMs = retryMs === undefined ? undefined : nowMs + retryMs;
    const answer = this.#parts.keepsAnswers ? tried.text : undefined;
    const outcome = { status, error: isDelivered ? undefined : error, answer, nowMs };
    const state = isDelivered ? "delivered" : nextAtMs === undefined ? "dead" : "handed";
    await writeAttempt(tx, event.id, { ...outcome, state, nextAtMs });
    const pausedUntilMs = isDelivered || receiver.failures + 1 < FAILURES_TO_PAUSE ? 0 : nowMs + PAUSE_MS;
    const isFirst = task.kind === FIRST_ATTEMPT;
    await noteTaken(tx, receiver.id, { ...outcome, isDelivered, isFirst, pausedUntilMs });
    if (nextAtMs === undefined) await recordEnded(tx, event);
    else await this.#later(tx, event, nextAtMs);
    if (pausedUntilMs > 0) await this.#wakeAt(tx, receiver.id, pausedUntilMs);
    await this.#parts.outbox.dispatch(tx, receiver.id);
  }

  async #later(tx: Statements, { id, jobId }: EventRow, runAtMs: number): Promise<void> {
    await this.#parts.outbox.attempt(tx, { eventId: id, jobId, kind: LATER_ATTEMPT, runAtMs });
  }

  async #wakeAt(tx: Statements, receiverId: string, runAtMs: number): Promise<void> {
    const payload = WAKE + receiverId;
    await this.#parts.queue.add(tx, [{ kind: LATER_ATTEMPT, group: "webhooks", payload, runAtMs }]);
  }

  async #wake(task: QueuedTask): Promise<undefined> {
    await this.#parts.database.transaction(async (tx) => {
      if (await task.end(tx)) await this.#parts.outbox.dispatch(tx, task.payload.slice(WAKE.length));
    });
    return undefined;
  }

  /** Makes no further attempt, because it is unknown whether the receiver got the event. */
  async #bury(task: QueuedTask, reason: string): Promise<void> {
    if (task.payload.startsWith(WAKE)) {
      await this.#wake(task);
      return;
    }
    const nowMs = this.#parts.clock.now();
    await this.#parts.database.transaction(async (tx) => {
      if (!(await task.end(tx))) return;
      const event = await getEvent(tx, task.payload);
      if (!event) return;
      await writeAttempt(tx, event.id, { state: "dead", status: undefined, error: reason, nowMs });
      if (task.kind === FIRST_ATTEMPT) {
        await tx
          .prepared("UPDATE webhook_receivers SET handed = handed - 1 WHERE id = ?")
          .run(event.receiverId);
      }
      await recordEnded(tx, event);
      await this.#parts.outbox.dispatch(tx, event.receiverId);
    });
  }
}

function callersHeaders({ headers }: WebhookSetting, ours: readonly string[]): Record<string, string> {
  const allowed = Object.entries(headers).filter(
    ([name]) => !RESERVED_HEADERS.test(name) && !ours.includes(name.toLowerCase()),
  );
  return Object.fromEntries(allowed);
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.cause instanceof Error ? `${failure.message} ${failure.cause.message}` : failure.message;
}

/** JSON of a stored document in UTF-8. Undefined when it is not kept any more. */
type DocumentOf = (scrapeId: string) => Promise<Uint8Array | undefined>;

const PIECE_BYTES = 1024 * 1024;

/**
 * Body of an event in pieces, the same bytes for each attempt (contract of the families, section 6.2).
 * @returns undefined when its document is not kept any more.
 */
export async function bodyOf(
  event: EventRow,
  { metadata }: WebhookSetting,
  documentOf: DocumentOf,
): Promise<readonly Uint8Array[] | undefined> {
  const { id, jobId, type, isSuccess, error } = event;
  const data = await dataOf(event, documentOf);
  if (data === undefined) return undefined;
  const head = JSON.stringify({ success: isSuccess === 1, type, id: jobId, webhookId: id });
  const tail = JSON.stringify({ metadata, ...(error !== null && { error }) });
  // The document is JSON already.
  return [Buffer.from(`${head.slice(0, -1)},"data":[`), ...data, Buffer.from(`],${tail.slice(1)}`)];
}

async function dataOf(
  { scrapeId, body, pageUrl, error }: EventRow,
  documentOf: DocumentOf,
): Promise<readonly Uint8Array[] | undefined> {
  if (body !== null) return encodeList([body]);
  if (scrapeId !== null) {
    const document = await documentOf(scrapeId);
    return document && piecesOf(document);
  }
  if (pageUrl === null) return [];
  return [Buffer.from(JSON.stringify({ metadata: { sourceURL: pageUrl, error } }))];
}

/** Splits the bytes, so that other work gets its turn between hashing and sending the pieces. */
function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / PIECE_BYTES) }, (_, index) =>
    bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
}
