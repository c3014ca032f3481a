import { HoldOwner } from "../../../packages/server/src/accounts/abandoned-holds.ts";
import { openCredits } from "../../../packages/server/src/accounts/credits.ts";
import { getTeam } from "../../../packages/server/src/accounts/teams.ts";
import { ServiceError } from "../../../packages/server/src/api/errors.ts";
import { uuidV7 } from "../../../packages/kit/src/uuid.ts";
import { openCoordinator } from "../../../packages/server/src/storage/coordination/drivers.ts";
import { openDatabase } from "../../../packages/server/src/storage/database/drivers.ts";

/** A process that charges a team, when its parent says so, and tells what became of it. */
const [, , url = ""] = process.argv;
const database = await openDatabase(url);
await database.migrate();
const coordinator = await openCoordinator({ url, database, onError: console.error });
const credits = openCredits({ database, owner: new HoldOwner(coordinator) });

/** What is to be charged, one credit at a time. */
export interface ChargeOrder {
  readonly teamId: string;
  readonly charges: number;
  readonly atOnce: number;
  /** Whether each hold is written before its charge, as that of a page that is fetched. */
  readonly isSecured: boolean;
}

/** What became of it. */
export interface ChargeReport {
  readonly charged: number;
  readonly refused: number;
  readonly longestMs: number;
  readonly cpuMs: number;
}

async function charge({ teamId, charges, atOnce, isSecured }: ChargeOrder): Promise<ChargeReport> {
  const team = await getTeam(database, teamId);
  const cpuBefore = process.cpuUsage();
  let begun = 0;
  let charged = 0;
  let refused = 0;
  let longestMs = 0;
  const one = async (): Promise<void> => {
    while (begun < charges) {
      begun += 1;
      const startedMs = performance.now();
      const work = { id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount: 1 };
      try {
        const hold = await credits.hold(work);
        if (isSecured) await hold.secure();
        await hold.charge(1);
        charged += 1;
      } catch (failure) {
        if (!(failure instanceof ServiceError) || failure.code !== "insufficient_credits") throw failure;
        refused += 1;
      }
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { charged, refused, longestMs, cpuMs: (user + system) / 1000 };
}

process.on("message", (order: ChargeOrder) => {
  void charge(order).then((report) => process.send?.(report));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
