import { Resources } from "../../../packages/kit/src/resources.ts";
import { findS3Server, startS3 } from "../../../packages/server/src/storage/blobs/s3-server.suite.ts";
import { findPostgres, startPostgres } from "../../../packages/server/src/storage/database/postgres-server.suite.ts";

export type Store = "postgres" | "s3";

/** What `--stores` names → the stores that take the place of embedded ones. */
export const storeSets: Readonly<Record<string, readonly Store[]>> = {
  postgres: ["postgres"],
  s3: ["s3"],
  all: ["postgres", "s3"],
};

/** Each test file opens databases of its own. */
const POSTGRES_SETTINGS = ["max_connections=600", "max_locks_per_transaction=1024", "shared_buffers=256MB"];

interface StartedStores {
  /** Names the servers for the tests (`test/shared-stores/shared-stores.ts`). */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** @throws Error if a program of these servers is not installed. */
export async function startStores(stores: readonly Store[]): Promise<StartedStores> {
  const servers = new Resources();
  const environment: Record<string, string> = {};
  const start: Readonly<Record<Store, () => Promise<void>>> = {
    async postgres() {
      const program = installed(findPostgres(), "Postgres");
      const server = servers.add(await startPostgres(program, POSTGRES_SETTINGS), (one) => one.stop());
      environment["TEST_DATABASE_URL"] = server.url("public").replace(/&schema=.*/, "");
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
    stop: () => servers.close(),
  };
}

function installed(program: string | undefined, name: string): string {
  if (program === undefined) throw new Error(`${name} is not installed.`);
  return program;
}
