import { setTimeout as sleep } from "node:timers/promises";

import { makeTeam, type SoakTeam } from "../../../test/service-process.ts";
import type { Cluster } from "./cluster.ts";

/** Longer than any answer takes of a node that lives; a paused one is given up. */
const ANSWER_LIMIT_MS = 20_000;
/** How long what may be asked again is. */
const PATIENCE_MS = 120_000;
const BETWEEN_MS = 100;

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Asks some node once. @returns undefined when no answer came: it may have been done or not. */
export async function askOnce<Body>(
  cluster: Cluster,
  { apiKey }: SoakTeam,
  line: string,
  body?: object,
): Promise<Answer<Body> | undefined> {
  const [method = "GET", path = ""] = line.split(" ");
  try {
    const response = await fetch(`${cluster.url()}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  } catch {
    return undefined;
  }
}

/** Asks one node after the other until one answers 200. For what changes nothing. @throws Error when none does. */
export async function read<Body>(cluster: Cluster, team: SoakTeam, path: string): Promise<Body> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await askOnce<Body>(cluster, team, `GET ${path}`);
    if (answer?.status === 200) return answer.body;
    if (performance.now() > giveUpAtMs)
      throw new Error(`GET ${path} was never answered: ${JSON.stringify(answer)}`);
    await sleep(BETWEEN_MS);
  }
}

/** A team of its own, so that everything in its ledger is known. */
export async function newTeam(cluster: Cluster, credits: number): Promise<SoakTeam> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const team = await makeTeam(cluster.liveUrl(), { name: "team", credits }).catch(() => undefined);
    if (team?.apiKey !== undefined) return team;
    if (performance.now() > giveUpAtMs) throw new Error("No node makes a team.");
    await sleep(BETWEEN_MS);
  }
}

/** What a team was charged, by the id of the work: from the books themselves. */
export async function chargesOf(
  cluster: Cluster,
  { teamId }: SoakTeam,
): Promise<ReadonlyMap<string, number>> {
  const rows = await cluster.database
    .prepared<{ id: string; amount: number }>(
      "SELECT id, amount FROM ledger_entries WHERE team_id = ? AND to_account = 'used'",
    )
    .all(teamId);
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}
