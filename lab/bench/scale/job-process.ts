import { openCoordinator } from "../../../src/platform/coordination/drivers.ts";
import { openDatabase } from "../../../src/platform/database/drivers.ts";
import { openDatabaseJobs } from "../../../src/platform/jobs/database-jobs.ts";

/** A process that does jobs over a database, and tells its parent of each. */
const [, , url = "", slots = "100"] = process.argv;
const database = await openDatabase(url);
await database.migrate();
const coordinator = await openCoordinator({ url, database, onError: console.error });
const jobs = openDatabaseJobs({ database, coordinator, onError: console.error });
let done = 0;
jobs.work({
  kind: "bench",
  slots: Number(slots),
  attempts: 1,
  async run() {
    done += 1;
    if (done % 10 === 0 || slots === "1") process.send?.({ done, cpuUs: cpuUs() });
    return undefined;
  },
  giveUp: async () => undefined,
});
process.send?.({ done, cpuUs: cpuUs() });
process.on("disconnect", () => process.exit());

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
