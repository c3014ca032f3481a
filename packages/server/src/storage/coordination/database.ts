import { leaseClockOf } from "./lease-clock.ts";
import type { Coordinator } from "./coordinator.ts";
import { composeCoordinator, type DatabaseCoordinatorOptions, openGround } from "./shared-ground.ts";
import { SharedCounts } from "./shared-counts.ts";
import { SharedSlots } from "./shared-slots.ts";

/** For processes that share a database: it is the only thing between them. What has no limit never reaches it. */
export function openDatabaseCoordinator(options: DatabaseCoordinatorOptions): Coordinator {
  const ground = openGround(options);
  const { database, store, heartbeat, clock, alone, onError } = ground;
  const counts = new SharedCounts({ store, clock, alone, onError });
  const slots = new SharedSlots({ store, heartbeat, clock: leaseClockOf(database), onError });
  return composeCoordinator({ ...ground, counts, slots });
}
