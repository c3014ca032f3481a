import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { ask } from "./ask.ts";
import { era } from "./live.ts";

type Names = ReadonlyMap<string, string>;

const teams = signal<Names>(new Map());
const keys = signal<Names>(new Map());
/** Lists that were asked for since the service was last away, so that an id without a name is not asked for again. */
const asked = new Set<string>();

/** What a team is called; its id until that is known, and for one that is gone. */
export function useTeamName(teamId: string): string {
  useEffect(() => askOnce(teamId, nameTeams), [teamId, era.value]);
  return teams.value.get(teamId) ?? teamId;
}

/** What a key of a team is called; its id until that is known, and for one without a name. */
export function useKeyName(teamId: string, keyId: string): string {
  useEffect(() => askOnce(keyId, () => nameKeys(teamId)), [teamId, keyId, era.value]);
  return keys.value.get(keyId) ?? keyId;
}

function askOnce(id: string, askForNames: () => Promise<void>): void {
  const question = `${era.value} ${id}`;
  if (asked.has(question)) return;
  asked.add(question);
  // Without names, ids are shown.
  askForNames().catch(() => undefined);
}

async function nameTeams(): Promise<void> {
  const { data } = await ask("GET /admin/api/teams", { query: { limit: 1000 } });
  teams.value = new Map(data.map(({ teamId, name }) => [teamId, name]));
}

async function nameKeys(teamId: string): Promise<void> {
  const { data } = await ask("GET /admin/api/teams/{id}/keys", {
    params: { id: teamId },
    query: { limit: 1000 },
  });
  const named = data.filter(({ name }) => name !== "");
  keys.value = new Map([...keys.value, ...named.map(({ keyId, name }): [string, string] => [keyId, name])]);
}
