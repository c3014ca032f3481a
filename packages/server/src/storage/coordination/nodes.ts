import { createHmac, timingSafeEqual } from "node:crypto";

import type { Database } from "../database/database.ts";

/** A process that is silent for this long counts as dead. */
const SILENT_MS = 30_000;

/** Facts that a process publishes about itself. */
export interface NodeFacts {
  readonly roles: readonly string[];
  readonly version: string;
  readonly startedAtMs: number;
  /** True when the process is shutting down and takes no new work. */
  readonly isDraining: boolean;
  readonly fetching: number;
  readonly fetchingLimit: number;
  readonly overloaded: string | null;
  readonly waiting: number;
  readonly sessions: number;
  readonly memoryBytes: number;
  readonly eventLoopLagMs: number;
}

interface OwnNode {
  /** Part of the ids that this process hands out, such as addresses of live pages. */
  readonly tag: string;
  /** Name of the lease that the process holds while it lives. */
  readonly process: string;
  /** URL at which the process listens to the others. */
  readonly url: string;
  readonly facts: NodeFacts;
}

/** A process that was heard of lately. */
export interface KnownNode extends OwnNode {
  readonly seenAtMs: number;
}

interface NodeRow {
  readonly tag: string;
  readonly process: string;
  readonly url: string;
  readonly facts: string;
  readonly proof: string;
  readonly seen_at: number;
}

/**
 * The processes over a database that listen to each other. Each row is signed with their shared secret, so an
 * attacker who can only write to the database cannot redirect requests and the secret.
 */
export class Nodes {
  readonly #database: Database;
  readonly #secret: string;
  readonly #nowMs: () => number;

  constructor(database: Database, secret: string) {
    this.#database = database;
    this.#secret = secret;
    this.#nowMs = () => database.nowMs?.() ?? Date.now();
  }

  /** Must be repeated, because the others forget a silent process. */
  async tell({ tag, process, url, facts }: OwnNode): Promise<void> {
    const nowMs = this.#nowMs();
    const told = JSON.stringify(facts);
    const proof = this.#proofOf({ tag, process, url, facts: told });
    await this.#database
      .prepared(
        `INSERT INTO nodes (tag, process, url, seen_at, facts, proof) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (tag) DO UPDATE SET process = excluded.process, url = excluded.url,
           seen_at = excluded.seen_at, facts = excluded.facts, proof = excluded.proof`,
      )
      .run(tag, process, url, nowMs, told, proof);
    await this.#database.prepared("DELETE FROM nodes WHERE seen_at < ?").run(nowMs - SILENT_MS);
  }

  async leave(tag: string): Promise<void> {
    await this.#database.prepared("DELETE FROM nodes WHERE tag = ?").run(tag);
  }

  /**
   * @param name name of the process, or its tag.
   * @returns the URL at which it listens; undefined when it does not listen, or is silent.
   */
  async urlOf(name: string): Promise<string | undefined> {
    const rows = await this.#database
      .prepared<NodeRow>(`SELECT * FROM nodes WHERE (tag = ? OR process = ?) AND seen_at >= ?`)
      .all(name, name, this.#nowMs() - SILENT_MS);
    return rows.find((row) => this.#isProven(row))?.url;
  }

  /** Lists the processes heard of lately, oldest first. */
  async all(): Promise<readonly KnownNode[]> {
    const rows = await this.#database
      .prepared<NodeRow>("SELECT * FROM nodes WHERE seen_at >= ? ORDER BY tag")
      .all(this.#nowMs() - SILENT_MS);
    return rows
      .filter((row) => this.#isProven(row))
      .map(({ facts, seen_at: seenAtMs, ...row }) => ({
        ...row,
        seenAtMs,
        facts: JSON.parse(facts) as NodeFacts,
      }))
      .toSorted((one, other) => one.facts.startedAtMs - other.facts.startedAtMs);
  }

  /** Milliseconds since the node was last heard of. */
  ageMs({ seenAtMs }: Pick<KnownNode, "seenAtMs">): number {
    return Math.max(0, this.#nowMs() - seenAtMs);
  }

  #isProven(row: NodeRow): boolean {
    const [given, own] = [Buffer.from(row.proof), Buffer.from(this.#proofOf(row))];
    return given.byteLength === own.byteLength && timingSafeEqual(given, own);
  }

  #proofOf({ tag, process, url, facts }: Pick<NodeRow, "tag" | "process" | "url" | "facts">): string {
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify([tag, process, url, facts]))
      .digest("base64url");
  }
}
