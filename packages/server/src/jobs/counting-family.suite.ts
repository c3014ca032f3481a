import { givenAddress } from "@pergamon-dev/kit/address";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Again } from "./queue/task-queue.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { JobHandler, NextTask, Task } from "./job-handler.ts";
import type { Job } from "./job-rows.ts";

/** How pages of a test come out. */
export type MakePage = (page: string, task: Task, signal: AbortSignal) => Promise<"made" | "failed" | Again>;

/** A kind of job whose pages are numbers in a table of its own. */
export class CountingFamily implements JobHandler {
  readonly name: string;
  readonly title = "Counting";
  maxBlock = 1;
  /** Run and page, in the order in which they were begun. */
  readonly begun: string[] = [];
  readonly #database: Database;
  readonly #dispatcher: Dispatcher;
  readonly #make: MakePage;

  constructor(name: string, database: Database, dispatcher: Dispatcher, make: MakePage = async () => "made") {
    this.name = name;
    this.#database = database;
    this.#dispatcher = dispatcher;
    this.#make = make;
    dispatcher.register(this);
  }

  static async createTable(database: Database): Promise<void> {
    await database
      .prepared(
        "CREATE TABLE IF NOT EXISTS counted (run_id text, page bigint, is_taken integer, PRIMARY KEY (run_id, page))",
      )
      .run();
  }

  async write(tx: Statements, jobId: string, pages: number, first = 0): Promise<void> {
    const statement = tx.prepared("INSERT INTO counted (run_id, page, is_taken) VALUES (?, ?, 0)");
    for (let page = 0; page < pages; page += 1) await statement.run(jobId, first + page);
  }

  async next(tx: Statements, job: Job, count: number): Promise<readonly NextTask[]> {
    const rows = await tx
      .prepared<{ page: number }>(
        "SELECT page FROM counted WHERE run_id = ? AND is_taken = 0 ORDER BY page LIMIT ?",
      )
      .all(job.id, count);
    for (const { page } of rows) {
      await tx.prepared("UPDATE counted SET is_taken = 1 WHERE run_id = ? AND page = ?").run(job.id, page);
    }
    return rows.map(({ page }) => ({ payload: String(page) }));
  }

  async run(task: Task): Promise<Again | undefined> {
    this.begun.push(`${task.job.id} ${task.payload}`);
    const made = await this.#make(task.payload, task, task.signal);
    if (typeof made === "object") return made;
    await this.#end(task, made === "made" ? undefined : "It failed.");
    return undefined;
  }

  async fail(task: Task, reason: string): Promise<void> {
    await this.#end(task, reason);
  }

  async #end(task: Task, failure: string | undefined): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const job = await task.end(tx);
      if (!job) return;
      const url = givenAddress(`https://shop.test/${task.payload}`);
      if (failure !== undefined) await this.#dispatcher.addFailure(tx, job, { url, message: failure });
      else {
        const scrapeId = `${task.job.id} ${task.payload}`;
        const body = JSON.stringify({ markdown: task.payload, metadata: { sourceURL: url } });
        const document = { scrapeId, sizeBytes: body.length, creditsUsed: 1, body };
        await this.#dispatcher.addDocument(tx, job, document);
      }
      await this.#dispatcher.dispatchNext(tx, job);
    });
  }
}
