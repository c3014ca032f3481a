import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { findS3Server, startS3 } from "../../../packages/server/src/storage/blobs/s3-server.suite.ts";
import type { Database } from "../../../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../../../packages/server/src/storage/database/drivers.ts";
import { findPooler, startPooler } from "../../../packages/server/src/storage/database/pooler-server.suite.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../../../packages/server/src/storage/database/postgres-server.suite.ts";
import { Resources } from "../../../packages/kit/src/resources.ts";
import { type SoakService, startSoakService } from "../../../test/service-process.ts";

type Settings = Readonly<Record<string, string>>;

interface ClusterOptions {
  readonly command: readonly string[];
  readonly nodes: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** Settings of the first node that are not those of all, which it gets. */
  readonly firstNode?: (settings: Settings) => Promise<Settings>;
  /** `pooler`, where nodes use one beside Postgres and S3. */
  readonly beside?: readonly string[];
  /** Whether the first node makes the tables, and not this program. */
  readonly isEmpty?: boolean;
}

/** A process of the service; undefined while it starts. */
interface Node {
  readonly command: readonly string[];
  service: SoakService | undefined;
  isPaused: boolean;
}

/** What is shared by the nodes, and goes with them. */
interface Shared {
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly database: Database;
  stop(): Promise<void>;
}

/** Nodes over one Postgres, with a folder each: only the database and the blobs are shared. */
export class Cluster {
  readonly #shared: Shared;
  readonly #nodes: Node[] = [];
  /** Of pauses that are not over. */
  readonly #pauses = new Set<Promise<void>>();
  readonly #ofFirst: Settings;

  private constructor(shared: Shared, ofFirst: Settings = {}) {
    this.#shared = shared;
    this.#ofFirst = ofFirst;
  }

  /** @throws Error where Postgres is not installed. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const { command, nodes, settings = {}, isEmpty = false, beside = [] } = options;
    const shared = await startShared(settings, isEmpty, beside);
    const cluster = new Cluster(shared, await options.firstNode?.(shared.settings));
    await Promise.all(Array.from({ length: nodes }, () => cluster.add(command)));
    return cluster;
  }

  /** Starts one more. */
  add(command: readonly string[]): Promise<void> {
    const index = this.#nodes.push({ command, service: undefined, isPaused: false }) - 1;
    return this.#start(index);
  }

  /** Asks it to end, and waits. */
  async leave(index: number): Promise<void> {
    const { service } = this.#at(index);
    this.#at(index).service = undefined;
    await service?.stop();
  }

  get database(): Database {
    return this.#shared.database;
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** The address of one that runs, at random: they are alike. Those that are paused are among them, as in real life. */
  url(): string {
    const running = this.#nodes.flatMap(({ service }) => service ?? []);
    return running[Math.floor(Math.random() * running.length)]?.url ?? "http://127.0.0.1:9";
  }

  /** Of one that answers for certain, for those who prepare a check. */
  liveUrl(): string {
    return this.#nodes.find(({ service, isPaused }) => service && !isPaused)?.service?.url ?? this.url();
  }

  /** Nodes that neither start nor are paused. */
  running(): readonly number[] {
    return [...this.#nodes.keys()].filter((index) => {
      const node = this.#nodes[index];
      return node?.service !== undefined && !node.isPaused;
    });
  }

  /** Ends it without a warning, and starts it again. */
  async kill(index: number): Promise<void> {
    await this.end(index);
    await this.#start(index);
  }

  /** Ends it without a warning, for good. */
  async end(index: number): Promise<void> {
    const { service } = this.#at(index);
    this.#at(index).service = undefined;
    await service?.kill();
  }

  /** Stops it for a while: it goes on afterwards as if no time had passed. */
  pause(index: number, forMs: number): void {
    const node = this.#at(index);
    const { pid = 0 } = node.service ?? {};
    node.isPaused = true;
    process.kill(pid, "SIGSTOP");
    const over = this.#goOn(node, pid, forMs);
    this.#pauses.add(over);
    void over.finally(() => this.#pauses.delete(over));
  }

  async untilNonePaused(): Promise<void> {
    await Promise.all(this.#pauses);
  }

  async stop(): Promise<void> {
    await this.untilNonePaused();
    await Promise.all(this.#nodes.map((_node, index) => this.end(index)));
    await this.#shared.stop();
  }

  async #goOn(node: Node, pid: number, afterMs: number): Promise<void> {
    await sleep(afterMs);
    process.kill(pid, "SIGCONT");
    node.isPaused = false;
  }

  #at(index: number): Node {
    const node = this.#nodes[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  }

  async #start(index: number): Promise<void> {
    const { folder, settings: ofAll } = this.#shared;
    const settings = index === 0 ? { ...ofAll, ...this.#ofFirst } : ofAll;
    const dataDir = join(folder, `node-${index}`);
    const { command } = this.#at(index);
    this.#at(index).service = await startSoakService({ command, dataDir, settings });
  }
}

async function startShared(
  more: Readonly<Record<string, string>>,
  isEmpty: boolean,
  beside: readonly string[],
): Promise<Shared> {
  const programs = findPostgres();
  if (!programs) throw new Error("This soak needs Postgres.");
  const servers = new Resources();
  const folder = servers.add(await mkdtemp(join(tmpdir(), "scale-soak-")), (one) =>
    rm(one, { recursive: true, force: true }),
  );
  const postgres = servers.add(await startPostgres(programs), (one) => one.stop());
  const s3Program = findS3Server();
  const s3 = s3Program && servers.add(await startS3(s3Program), (one) => one.stop());
  const database = servers.add(await openDatabase(postgres.url("public")), (one) => one.close());
  if (!isEmpty) await database.migrate();
  const settings: Record<string, string> = {
    DATABASE_URL: postgres.url("public"),
    BLOBS_URL: s3 ? await s3.url() : `file:${join(folder, "blobs")}`,
    SECRET_KEY: randomBytes(32).toString("base64"),
  };
  for (const name of beside) Object.assign(settings, await startBeside(name, servers, postgres));
  return { folder, database, settings: { ...settings, ...more }, stop: () => servers.close() };
}

/** @returns the settings by which nodes use it. @throws Error where it is not installed. */
async function startBeside(
  name: string,
  servers: Resources,
  postgres: PostgresServer,
): Promise<Readonly<Record<string, string>>> {
  if (name === "pooler") {
    const program = findPooler();
    if (!program) throw new Error("PgBouncer is not installed.");
    const pooler = servers.add(await startPooler(program, postgres), (one) => one.stop());
    const direct = postgres.url("public");
    return { DATABASE_URL: pooler.through(direct), DATABASE_DIRECT_URL: direct };
  }
  throw new Error(`--beside is pooler, not ${name}`);
}
