import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database, Statements } from "../../storage/database/database.ts";
import type { QueuedTask, TaskQueue, Work } from "../../jobs/queue/task-queue.ts";
import { lastUseMs, type PartState, problemOf } from "../../storage/part-health.ts";
import type { AskedPart } from "./readiness.ts";

interface Failure {
  /** Identifies the failure while it lasts. */
  readonly part: string;
  readonly problem: string;
}

interface FailureRow extends Failure {
  readonly beganAtMs: number;
}

/** The start or the end of a failure. */
interface Change {
  readonly part: string;
  readonly state: "failing" | "working";
  readonly problem: string;
  readonly since: string;
}

/** A message about changes that were found at the same time. */
export interface AlertMessage {
  /** Stays the same for each attempt. */
  readonly id: string;
  /** The whole message in words. Chat programs show a member named `text`. */
  readonly text: string;
  readonly data: readonly Change[];
}

/** Sends a message. @throws Error with the reason when it was not accepted. */
export type SendAlert = (message: AlertMessage, signal: AbortSignal) => Promise<void>;

interface AlertOptions {
  readonly database: Database;
  readonly queue: Pick<TaskQueue, "add" | "work">;
  readonly clock: () => number;
  /** Name of a channel, such as `webhook` → its function for sending. */
  readonly channels: ReadonlyMap<string, SendAlert>;
  /** Parts that are tested by asking them. */
  readonly asked: readonly AskedPart[];
  /** Parts whose state only their use shows. */
  readonly used: () => Promise<readonly PartState[]>;
  /** Called when a message is given up. Its failed attempts were reported before. */
  readonly onLost: () => void;
}

const JOB = "alert";
const SLOTS = 4;
/** Waits between attempts, which cover some hours for a receiver that is down. */
const BACKOFF_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000, 7_200_000] as const;
const SEND_MS = 60_000;
/** A part that failed once may work the next time, so an alert needs this many failures in a row. */
const FAILURES_IN_ROW = 3;
/** After this time without use, the state of a part is unknown. */
const UNUSED_MS = 60 * 60 * 1000;
/** A part must work for this long before it counts as recovered, so that a flapping part is reported once. */
const WORKS_AFTER_MS = 5 * 60 * 1000;
/** Maximum changes per message, which must fit into the payload of a job. */
const MAX_LISTED = 20;
const MAX_TEXT_LENGTH = 200;

/** Tells the operator when a part of the service starts to fail, and when it works again. */
export class Alerts {
  readonly #options: AlertOptions;

  constructor(options: AlertOptions) {
    this.#options = options;
  }

  /** Starts to send messages, with retries. */
  work(): void {
    const work: Work = {
      kind: JOB,
      slots: SLOTS,
      attempts: BACKOFF_MS.length + 1,
      backoffMs: (failures) => BACKOFF_MS[failures - 1] ?? BACKOFF_MS[0],
      run: (task, signal) => this.#send(task, signal),
      giveUp: (task) => this.#giveUp(task),
    };
    this.#options.queue.work(work);
  }

  /** Checks all parts once and queues at most one message per channel. */
  async look(): Promise<void> {
    const { database, clock } = this.#options;
    const nowMs = clock();
    const failures = [...(await this.#failedParts()), ...(await this.#failedUses(nowMs))];
    await database.transaction(async (tx) => {
      const began = await noteFailures(tx, failures, nowMs);
      const ended = await deleteEnded(tx, nowMs);
      const changes = [...began.map(changeTo("failing")), ...ended.map(changeTo("working"))];
      if (changes.length > 0) await this.#add(tx, changes);
    });
  }

  async #failedParts(): Promise<readonly Failure[]> {
    const checks = this.#options.asked.map(async ({ name, ask }) => {
      const problem = await ask().then(() => undefined, problemOf);
      return problem === undefined ? [] : [{ part: name, problem }];
    });
    return (await Promise.all(checks)).flat();
  }

  async #failedUses(nowMs: number): Promise<readonly Failure[]> {
    return (await this.#options.used())
      .filter((use) => use.failuresInRow >= FAILURES_IN_ROW && nowMs - lastUseMs(use) < UNUSED_MS)
      .map(({ part, target, failuresInRow, problem }) => ({
        part: target === "" ? part : `${part} (${target})`,
        problem: `It failed ${failuresInRow} times in a row: ${problem ?? "the reason is unknown"}`,
      }));
  }

  async #add(tx: Statements, changes: readonly Change[]): Promise<void> {
    const { channels, clock, queue } = this.#options;
    const [id, data] = [uuidV7(clock()), changes.slice(0, MAX_LISTED)];
    const letter = { id, data, more: changes.length - data.length };
    const toSend = [...channels.keys()].map((channel) => JSON.stringify({ channel, ...letter }));
    await queue.add(
      tx,
      toSend.map((payload) => ({ kind: JOB, group: "alerts", payload })),
    );
  }

  async #send({ payload }: QueuedTask, signal: AbortSignal): Promise<undefined> {
    const { channel, id, data, more } = JSON.parse(payload) as Letter;
    const lines = [...data.map(inWords), ...(more > 0 ? [`… and ${more} more.`] : [])];
    // A channel that was removed from the settings meanwhile gets no more messages.
    const send = this.#options.channels.get(channel);
    await send?.(
      { id, text: lines.join("\n"), data },
      AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]),
    );
    return undefined;
  }

  async #giveUp(task: QueuedTask): Promise<void> {
    const { database, onLost } = this.#options;
    if (await database.transaction((tx) => task.end(tx))) onLost();
  }
}

/** A queued message. */
interface Letter extends Pick<AlertMessage, "id" | "data"> {
  readonly channel: string;
  /** Number of changes that did not fit into the message. */
  readonly more: number;
}

/** @returns the failures that are new. */
async function noteFailures(tx: Statements, failures: readonly Failure[], nowMs: number) {
  const began: FailureRow[] = [];
  for (const { part, problem } of failures) {
    const added = await tx
      .prepared(
        `INSERT INTO alerts (cause, detail, began_at, seen_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (cause) DO NOTHING`,
      )
      .run(part, problem, nowMs, nowMs);
    if (added > 0) began.push({ part, problem, beganAtMs: nowMs });
    else
      await tx
        .prepared("UPDATE alerts SET detail = ?, seen_at = ? WHERE cause = ?")
        .run(problem, nowMs, part);
  }
  return began;
}

function deleteEnded(tx: Statements, nowMs: number): Promise<readonly FailureRow[]> {
  return tx
    .prepared<FailureRow>(
      `DELETE FROM alerts WHERE seen_at <= ?
       RETURNING cause AS part, detail AS problem, began_at AS "beganAtMs"`,
    )
    .all(nowMs - WORKS_AFTER_MS);
}

function changeTo(state: Change["state"]) {
  return ({ part, problem, beganAtMs }: FailureRow): Change => ({
    part: plain(part),
    state,
    problem: plain(problem),
    since: new Date(beganAtMs).toISOString(),
  });
}

function inWords({ part, state, problem, since }: Change): string {
  return state === "failing"
    ? `${part} does not work. ${problem}`
    : `${part} works again. It failed since ${since}.`;
}

/**
 * Puts a text on one line and removes control characters, such as those that change the writing direction.
 * Parts of it come from strangers.
 */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").slice(0, MAX_TEXT_LENGTH);
}
