import { findPostgres } from "../../../src/platform/database/postgres-server.suite.ts";
import { caddyBalancer, ownBalancer } from "../../../test/ends/balancers.ts";
import { restartInTurn } from "../../../test/ends/rolling-restart.ts";
import type { ScaleOptions, ScaleReport } from "./parts.ts";

const NODES = 4;
const ROUNDS = 2;
const CLIENTS = 8;

/**
 * Nodes behind a balancer are ended as they should be and started again, in turn, while clients ask. `CADDY_PROGRAM` names
 * the Caddy to use, with the Caddyfile of compose.cluster.yaml; without it, our own balancer is used.
 */
export async function restartNodes({ command }: ScaleOptions): Promise<ScaleReport> {
  const programs = findPostgres();
  if (programs === undefined) return { figures: "Postgres is not installed", problems: ["nothing was run"] };
  const caddy = process.env["CADDY_PROGRAM"];
  const balancer = caddy === undefined ? ownBalancer : caddyBalancer(caddy);
  const report = await restartInTurn({
    programs,
    command,
    nodes: NODES,
    rounds: ROUNDS,
    clients: CLIENTS,
    balancer,
  });
  const { restarts, answered, closes, slowestMs, problems } = report;
  const codes = [...closes].map(([code, count]) => `${count} × ${code}`).join(", ");
  const figures = `${restarts} restarts of ${NODES} nodes behind ${caddy === undefined ? "our balancer" : "Caddy"}, ${answered} answers, the slowest after ${slowestMs.toFixed(0)} ms, WebSockets ended with ${codes}`;
  return { figures, problems };
}
