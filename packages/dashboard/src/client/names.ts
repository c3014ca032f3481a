import { ask } from "./ask.ts";
import { useLoad } from "./load.ts";
import { session } from "./session.ts";

type Kind = "teams" | "keys";

/** Ids whose names are asked for together, and the answer: names by their ids. */
interface Question extends Readonly<Record<Kind, Set<string>>> {
  readonly names: Promise<Readonly<Record<Kind, Readonly<Record<string, string>>>>>;
}

const EVERY_MS = 5 * 60_000;
/** Names of one question, as the service has it. */
const AT_ONCE = 100;
/** Names that came before: they are shown until they have come again. */
const former = new Map<string, string>();
let open: Question | undefined;

/** What a team or a key is called; its id until that is known, and for one that is gone or has no name. */
export function useName(kind: Kind, id: string): string {
  const { data } = useLoad(`name of ${kind} ${id}`, () => nameOf(kind, id), { everyMs: EVERY_MS });
  return data ?? former.get(id) ?? id;
}

/** All that one drawing of the screen wants is asked for together. */
async function nameOf(kind: Kind, id: string): Promise<string> {
  // A team has no right to the names of others: it is shown its ids.
  if (id === "" || session.value?.operator.role === "team") return id;
  if (!open || open[kind].size >= AT_ONCE) open = newQuestion();
  open[kind].add(id);
  const names = await open.names;
  const name = names[kind][id] ?? id;
  former.set(id, name);
  return name;
}

function newQuestion(): Question {
  const ids = { teams: new Set<string>(), keys: new Set<string>() };
  const names = new Promise((resolve) => setTimeout(resolve)).then(async () => {
    open = undefined;
    const query = { teams: [...ids.teams].join(","), keys: [...ids.keys].join(",") };
    return (await ask("GET /admin/api/names", { query })).data;
  });
  return { ...ids, names };
}
