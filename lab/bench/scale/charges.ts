import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { HoldOwner } from "../../../packages/server/src/accounts/abandoned-holds.ts";
import { type Credits, openCredits } from "../../../packages/server/src/accounts/credits.ts";
import { auditLedger } from "../../../packages/server/src/accounts/ledger-audit.ts";
import { createTeam } from "../../../packages/server/src/accounts/teams.ts";
import { openCoordinator } from "../../../packages/server/src/storage/coordination/drivers.ts";
import type { Database } from "../../../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../../../packages/server/src/storage/database/drivers.ts";
import { findPostgres, startPostgres } from "../../../packages/server/src/storage/database/postgres-server.suite.ts";
import type { ChargeOrder, ChargeReport } from "./charge-process.ts";
import type { Figure } from "../report.ts";

const PROCESSES = 4;
/** Of each process. */
const CHARGES = 10_000;
const AT_ONCE = 500;
const GRANTED = 10_000_000;
const LAST = 5;
const LAST_ATTEMPTS = 50;
const LAST_ROUNDS = 5;
/** Commits wait for the disk, as they do in production. */
const SAFE = ["fsync=on"];
const PROGRAM = fileURLToPath(new URL("charge-process.ts", import.meta.url));

/** Charges of one team by several processes over one Postgres. */
export async function benchCharges(): Promise<readonly Figure[]> {
  const programs = findPostgres();
  if (!programs) return [];
  const server = await startPostgres(programs, SAFE);
  const url = server.url("charges");
  const database = await openDatabase(url);
  await database.migrate();
  const coordinator = await openCoordinator({ url, database, onError: console.error });
  const credits = openCredits({ database, owner: new HoldOwner(coordinator) });
  const children = await Promise.all(Array.from({ length: PROCESSES }, () => startCharger(url)));
  try {
    const stage = { database, credits, children };
    const figures = [await benchRate(stage, false), await benchRate(stage, true)];
    return [...figures, await benchLastCredits(stage)];
  } finally {
    for (const child of children) child.disconnect();
    await coordinator.close();
    await database.close();
    await server.stop();
  }
}

interface Stage {
  readonly database: Database;
  readonly credits: Credits;
  readonly children: readonly ChildProcess[];
}

async function startCharger(url: string): Promise<ChildProcess> {
  const child = fork(PROGRAM, [url], { execArgv: ["--conditions=pergamon-source", "--import", "tsx"] });
  await once(child, "message");
  return child;
}

async function chargeAll(
  { children }: Stage,
  order: ChargeOrder,
): Promise<ChargeReport & { readonly wallMs: number }> {
  const startedMs = performance.now();
  const reports = await Promise.all(
    children.map(async (child) => {
      const told = once(child, "message") as Promise<[ChargeReport]>;
      child.send(order);
      return (await told)[0];
    }),
  );
  return {
    wallMs: performance.now() - startedMs,
    charged: reports.reduce((sum, { charged }) => sum + charged, 0),
    refused: reports.reduce((sum, { refused }) => sum + refused, 0),
    cpuMs: reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    longestMs: Math.max(...reports.map(({ longestMs }) => longestMs)),
  };
}

async function newTeam({ database, credits }: Stage, amount: number): Promise<string> {
  const { id } = await createTeam(database, { name: "charged" });
  await credits.topUp(id, amount);
  return id;
}

/** Transactions of the server so far that were kept, and that were not. */
async function transactions({
  database,
}: Stage): Promise<{ readonly kept: number; readonly undone: number }> {
  const row = await database
    .prepared<{ kept: number; undone: number }>(
      "SELECT sum(xact_commit) AS kept, sum(xact_rollback) AS undone FROM pg_stat_database",
    )
    .get();
  return row ?? { kept: 0, undone: 0 };
}

async function benchRate(stage: Stage, isSecured: boolean): Promise<Figure> {
  const teamId = await newTeam(stage, GRANTED);
  const before = await transactions(stage);
  const { wallMs, charged, longestMs, cpuMs } = await chargeAll(stage, {
    teamId,
    charges: CHARGES,
    atOnce: AT_ONCE,
    isSecured,
  });
  const perSecond = (charged / wallMs) * 1000;
  const after = await transactions(stage);
  const undone = `${after.undone - before.undone} of ${after.kept - before.kept} transactions run again`;
  const cpuUs = (cpuMs * 1000) / charged;
  const { problems } = await auditLedger(stage.database);
  const isExact = charged === PROCESSES * CHARGES && problems.length === 0;
  return {
    name: `one team charged from ${PROCESSES} processes${isSecured ? ", holds written first" : ""}`,
    value: `${perSecond.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs of their processor time each, the longest took ${longestMs.toFixed(0)} ms, ${undone}, ${isExact ? "exact" : `NOT EXACT: ${problems.join(" ")}`}`,
    limit: isSecured ? "-" : ">= 5000/s",
    isMet: isExact && (isSecured || perSecond >= 5000),
  };
}

async function benchLastCredits(stage: Stage): Promise<Figure> {
  const answered: number[] = [];
  for (let round = 0; round < LAST_ROUNDS; round += 1) {
    const teamId = await newTeam(stage, LAST);
    const { charged } = await chargeAll(stage, {
      teamId,
      charges: LAST_ATTEMPTS,
      atOnce: LAST_ATTEMPTS,
      isSecured: true,
    });
    answered.push(charged);
  }
  const { problems } = await auditLedger(stage.database);
  return {
    name: `the last ${LAST} credits, ${LAST_ATTEMPTS} at once in each of ${PROCESSES} processes`,
    value: `${answered.join(", ")} charged${problems.length > 0 ? `: ${problems.join(" ")}` : ""}`,
    limit: `${LAST}`,
    isMet: answered.every((charged) => charged === LAST) && problems.length === 0,
  };
}
