import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { ask } from "./ask.ts";
import { era } from "./live.ts";

type Kind = "teams" | "keys";
type Names = ReadonlyMap<string, string>;

const names = { teams: signal<Names>(new Map()), keys: signal<Names>(new Map()) };
/** Ids that were asked for since the service was last away, so that one without a name is not asked for again. */
const asked = new Set<string>();
/** Ids whose names the next question asks for. */
const wanted = { teams: new Set<string>(), keys: new Set<string>() };
/** Names of one question, as the service has it. */
const AT_ONCE = 100;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What a team is called; its id until that is known, and for one that is gone. */
export function useTeamName(teamId: string): string {
  return useName("teams", teamId);
}

/** What a key of a team is called; its id until that is known, and for one without a name. */
export function useKeyName(keyId: string): string {
  return useName("keys", keyId);
}

function useName(kind: Kind, id: string): string {
  useEffect(() => want(kind, id), [kind, id, era.value]);
  return names[kind].value.get(id) ?? id;
}

function want(kind: Kind, id: string): void {
  const question = `${era.value} ${id}`;
  if (id === "" || asked.has(question)) return;
  asked.add(question);
  wanted[kind].add(id);
  // All that one drawing of the screen wants is asked for together.
  timer ??= setTimeout(() => void nameAll());
}

async function nameAll(): Promise<void> {
  timer = undefined;
  const teams = taken("teams");
  const keys = taken("keys");
  if (wanted.teams.size + wanted.keys.size > 0) timer = setTimeout(() => void nameAll());
  try {
    const { data } = await ask("GET /admin/api/names", {
      query: { teams: teams.join(","), keys: keys.join(",") },
    });
    names.teams.value = new Map([...names.teams.value, ...Object.entries(data.teams)]);
    names.keys.value = new Map([...names.keys.value, ...Object.entries(data.keys)]);
  } catch {
    // Without names, ids are shown.
  }
}

function taken(kind: Kind): readonly string[] {
  const ids = [...wanted[kind]].slice(0, AT_ONCE);
  for (const id of ids) wanted[kind].delete(id);
  return ids;
}
