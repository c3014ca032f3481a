import { NotFoundError, ServiceError } from "../api/errors.ts";
import { unknownOutcome } from "./requests/execute.ts";
import { endOfRequest } from "./requests/end-of-request.ts";
import { refusalOfRequest, requestStateOf } from "./requests/outcomes.ts";
import type { ToolRequestRow } from "./requests/request-rows.ts";
import { bodyOf, type ToolServices } from "./run-tools.ts";

type Resolution = "charged" | "released";

/**
 * Settles a request of unknown outcome as the operator decides. From then on it is answered with
 * `outcome_unknown` for each call, and costs the quoted price or nothing.
 * @throws NotFoundError; ServiceError request_in_flight while it may still end by itself, BAD_REQUEST when it
 * has ended.
 */
export async function resolveRequest(
  chargeId: string,
  resolution: Resolution,
  services: ToolServices,
): Promise<ToolRequestRow> {
  const { rows, clock, audit } = services;
  const row = await rows.get(chargeId);
  if (!row) throw new NotFoundError("Provider tool request not found.");
  const state = requestStateOf(row, clock());
  if (state === "running") throw refusalOfRequest("in-flight", chargeId);
  if (state !== "unresolved") throw isOver(state);
  const credits = resolution === "charged" ? (row.quote ?? 0) : 0;
  const calls = JSON.parse(row.calls) as readonly CalledTool[];
  const response = bodyOf(row.scrapeId, calls.map(unknownOutcome), credits);
  const isMine =
    credits > 0 ? await charge(row, { credits, response }, services) : await rows.resolve(row, response);
  if (!isMine) throw isOver("completed");
  const details = { scrapeId: row.scrapeId, chargeId, outcome: resolution, creditsUsed: credits };
  await audit.write({ kind: "tool.resolved", teamId: row.teamId, keyId: row.keyId ?? undefined, details });
  return { ...row, state: "completed", response };
}

interface CalledTool {
  readonly provider: string;
  readonly capability: string;
}

function isOver(state: string): ServiceError {
  return new ServiceError("BAD_REQUEST", {
    message: `This request is ${state}, so it cannot be settled.`,
  });
}

/** @returns false when the request has ended meanwhile. */
async function charge(
  row: ToolRequestRow,
  { credits, response }: { readonly credits: number; readonly response: string },
  services: ToolServices,
): Promise<boolean> {
  const { chargeId, scrapeId, teamId, keyId, attempt, createdAtMs } = row;
  const { payer, team } = await services.callers.ofTeam(teamId);
  const work = { id: scrapeId, startedAtMs: createdAtMs, payer, amount: credits };
  const hold = await services.charges.hold(work);
  const calls = JSON.parse(row.calls) as readonly CalledTool[];
  const endedAtMs = services.clock();
  const ended = { scrapeId, teamId, keyId: keyId ?? undefined, createdAtMs, endedAtMs, credits, calls };
  const alsoWrite = services.rows.ending(chargeId, attempt, response);
  return services.charges.charge(hold, { ...endOfRequest(ended, team.flags), alsoWrite });
}
