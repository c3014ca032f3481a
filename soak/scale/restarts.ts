import { findPostgres } from "../../src/platform/database/postgres-server.suite.ts";
import { restartInTurn } from "../rolling-restart.ts";
import type { ScaleOptions, ScaleReport } from "./parts.ts";

const NODES = 4;
const ROUNDS = 2;
const CLIENTS = 8;

/** Nodes behind a balancer are ended as they should be and started again, in turn, while clients ask. */
export async function restartNodes({ command }: ScaleOptions): Promise<ScaleReport> {
  const programs = findPostgres();
  if (programs === undefined) return { figures: "Postgres is not installed", problems: ["nothing was run"] };
  const report = await restartInTurn({ programs, command, nodes: NODES, rounds: ROUNDS, clients: CLIENTS });
  const { restarts, answered, closes, slowestMs, problems } = report;
  const codes = [...closes].map(([code, count]) => `${count} × ${code}`).join(", ");
  const figures = `${restarts} restarts of ${NODES} nodes, ${answered} answers, the slowest after ${slowestMs.toFixed(0)} ms, WebSockets ended with ${codes}`;
  return { figures, problems };
}
