import type { Coordinator } from "../../src/platform/coordination/coordinator.ts";
import { openPostgresCoordinator } from "../../src/platform/coordination/postgres.ts";
import type { DatabaseCoordinatorOptions } from "../../src/platform/coordination/shared-ground.ts";

/** Stands in for coordination over a database file while suites run on Postgres, with limits on Redis if that is set. */
export function openDatabaseCoordinator(options: DatabaseCoordinatorOptions): Coordinator {
  return openPostgresCoordinator({ ...options, redisUrl: process.env["TEST_REDIS_URL"] });
}
