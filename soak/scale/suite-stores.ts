import { Resources } from "../../src/kit/resources.ts";
import { findS3Server, startS3 } from "../../src/platform/blobs/s3-server.suite.ts";
import { findPostgres, startPostgres } from "../../src/platform/database/postgres-server.suite.ts";
import { findRedis, startRedis } from "../../src/platform/redis/redis-server.suite.ts";

export type Store = "postgres" | "redis" | "s3";

/** What `--stores` names → the stores that take the place of embedded ones. Limits on Redis require Postgres. */
export const storeSets: Readonly<Record<string, readonly Store[]>> = {
  postgres: ["postgres"],
  redis: ["postgres", "redis"],
  s3: ["s3"],
  all: ["postgres", "redis", "s3"],
};

/** Each test file opens databases of its own. */
const POSTGRES_SETTINGS = ["max_connections=600", "max_locks_per_transaction=1024", "shared_buffers=256MB"];

interface StartedStores {
  /** Names the servers for the tests (`test/shared-stores/shared-stores.ts`). */
  readonly environment: Readonly<Record<string, string>>;
  /** What should not be: a store to which nothing has come. */
  problems(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** @throws Error if a program of these servers is not installed. */
export async function startStores(stores: readonly Store[]): Promise<StartedStores> {
  const servers = new Resources();
  const environment: Record<string, string> = {};
  const problems: (() => Promise<readonly string[]>)[] = [];
  const start: Readonly<Record<Store, () => Promise<void>>> = {
    async postgres() {
      const program = installed(findPostgres(), "Postgres");
      const server = servers.add(await startPostgres(program, POSTGRES_SETTINGS), (one) => one.stop());
      environment["TEST_DATABASE_URL"] = server.url("public").replace(/&schema=.*/, "");
    },
    async redis() {
      const server = servers.add(await startRedis(installed(findRedis(), "Redis")), (one) => one.stop());
      environment["TEST_REDIS_URL"] = server.url;
      // Limits are kept in the database while Redis cannot be used: then the suites would pass without it.
      problems.push(async () => {
        const commands = String(await server.command("INFO", "commandstats"));
        return commands.includes("cmdstat_evalsha:") ? [] : ["no limit was kept on Redis"];
      });
    },
    async s3() {
      const program = installed(findS3Server(), "moto_server");
      environment["TEST_BLOBS_URL"] = await servers.add(await startS3(program), (one) => one.stop()).url();
    },
  };
  try {
    for (const store of stores) await start[store]();
  } catch (failure) {
    await servers.close();
    throw failure;
  }
  return {
    environment,
    problems: async () => (await Promise.all(problems.map((look) => look()))).flat(),
    stop: () => servers.close(),
  };
}

function installed(program: string | undefined, name: string): string {
  if (program === undefined) throw new Error(`${name} is not installed.`);
  return program;
}
