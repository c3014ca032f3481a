import type { Administration, TeamState } from "../administration.ts";
import { teamVersion } from "../teams.ts";
import { changeTeam, createTeam, deleteTeam, listTeams, readLedger, topUpTeam } from "./teams-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import { pageFrom } from "../../operator/page-from.ts";
import { versionIn } from "../../operator/version.ts";

const create = defineOperation({
  ...createTeam,
  async handle({ body }, administration: Administration) {
    return { success: true, ...(await administration.createTeam(body)) };
  },
});

const list = defineOperation({
  ...listTeams,
  async handle({ query: { limit, cursor } }, administration: Administration) {
    const teams = await administration.listTeams({ afterId: cursor, count: limit + 1 });
    return pageFrom(teams, { limit, idOf: ({ id }) => id, show: showTeam });
  },
});

const change = defineOperation({
  ...changeTeam,
  async handle({ params, body, headers }, administration: Administration) {
    const changed = await administration.changeTeam(params.id, body, versionIn(headers["if-match"]));
    return { success: true, data: showTeam(changed) };
  },
});

const remove = defineOperation({
  ...deleteTeam,
  async handle({ params }, administration: Administration) {
    await administration.deleteTeam(params.id);
    return { success: true };
  },
});

const topUp = defineOperation({
  ...topUpTeam,
  async handle({ params, body }, administration: Administration) {
    return { success: true, remainingCredits: await administration.addCredits(params.id, body.add) };
  },
});

const ledger = defineOperation({
  ...readLedger,
  async handle({ params, query: { limit, cursor } }, administration: Administration) {
    const entries = await administration.ledger(params.id, { afterId: cursor, count: limit + 1 });
    const show = ({ createdAtMs, ...entry }: (typeof entries)[number]) => ({
      ...entry,
      createdAt: iso(createdAtMs),
    });
    return pageFrom(entries, { limit, idOf: ({ id }) => id, show });
  },
});

/** Teams and their credits, as the command line has them, too. */
export const teamOperations = [create, list, change, remove, topUp, ledger];

function showTeam(state: TeamState) {
  const { id, createdAtMs, remaining, usedThisMonth, isLimited, ...others } = state;
  return {
    teamId: id,
    version: teamVersion(state),
    ...others,
    allowance: others.allowance ?? null,
    isLimited,
    remainingCredits: remaining ?? null,
    creditsUsedThisMonth: usedThisMonth,
    createdAt: iso(createdAtMs),
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
