import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type SoakService, startSoakService } from "./service-process.ts";
import {
  type PostgresServer,
  startPostgres,
} from "../packages/server/src/storage/database/postgres-server.suite.ts";

const SECRET_KEY = randomBytes(32).toString("base64");
const NODE_SECRET = "the-secret-of-all-nodes";

/** Nodes over a Postgres server and a folder of blobs of their own. */
export interface Cluster {
  readonly database: PostgresServer;
  /** For whoever looks at what nodes say of themselves. */
  readonly databaseUrl: string;
  /** Starts one, with a data folder of its own. */
  start(settings?: Readonly<Record<string, string>>): Promise<SoakService>;
  close(): Promise<void>;
}

/** @param programs the folder of those of Postgres. */
export async function openCluster(programs: string, command: readonly string[]): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "cluster-"));
  const database = await startPostgres(programs);
  const databaseUrl = database.url("cluster");
  const nodes: SoakService[] = [];
  return {
    database,
    databaseUrl,
    async start(settings) {
      const node = await startSoakService({
        command,
        dataDir: await mkdtemp(join(folder, "node-")),
        settings: {
          DATABASE_URL: databaseUrl,
          BLOBS_URL: `file:${join(folder, "blobs")}`,
          SECRET_KEY,
          NODE_SECRET,
          NODE_URL: "http://127.0.0.1:0",
          HOST_CONCURRENCY: "50",
          ...settings,
        },
      });
      nodes.push(node);
      return node;
    },
    async close() {
      await Promise.all(nodes.map((node) => node.kill()));
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
