import { type Signal, signal as newSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

import { ask, type AskOptions, messageOf, type Route, type Routes } from "./ask.ts";
import { era, isCutOff } from "./live.ts";

/** Something that is being fetched, or was. */
export interface Loaded<Data> {
  /** What came last; kept while it is fetched again. */
  readonly data: Data | undefined;
  /** Why the last attempt brought nothing: then `data` is out of date. */
  readonly problem: string | undefined;
  /** False while it is only being refreshed. */
  readonly isLoading: boolean;
  /** When `data` came, in milliseconds since 1970. */
  readonly atMs: number | undefined;
  readonly reload: () => void;
}

interface Freshness {
  /** How old it may be on a page that is looked at. Default: 30 s. "fixed": it never changes. */
  readonly everyMs?: number | "fixed" | undefined;
  /** Fetched again when this changes, such as a count of events. */
  readonly on?: unknown;
}

const USUAL_MS = 30_000;
const TICK_MS = 500;

type State<Data> = Omit<Loaded<Data>, "reload">;
type Fetch<Data> = (signal: AbortSignal) => Promise<Data>;

/** What is shown somewhere, by its key. Two places that show the same share it. */
interface Entry<Data> {
  readonly state: Signal<State<Data>>;
  fetchData: Fetch<Data>;
  everyMs: number | "fixed";
  users: number;
  askedAtMs: number;
  leaving: AbortController | undefined;
}

const entries = new Map<string, Entry<unknown>>();

/**
 * Fetches while a component shows it: at first, whenever its key changes, each `everyMs` while the page is looked at, and
 * when the service or the reader comes back. A failed attempt keeps what came before, and says so.
 *
 * @param fetchData is given the signal that ends it
 */
export function useLoad<Data>(
  key: string,
  fetchData: Fetch<Data>,
  { everyMs = USUAL_MS, on }: Freshness = {},
): Loaded<Data> {
  const entry = entryOf(key, fetchData);
  entry.fetchData = fetchData;
  entry.everyMs = everyMs;
  const seen = useRef({ key, on });
  useLayoutEffect(() => {
    entries.set(key, entry);
    entry.users += 1;
    // Before the browser paints: the answer is under way sooner.
    if (entry.users === 1) load(entry);
    startClock();
    return () => {
      entry.users -= 1;
      if (entry.users > 0) return;
      entry.leaving?.abort();
      entries.delete(key);
    };
  }, [entry]);
  useLayoutEffect(() => {
    const before = seen.current;
    seen.current = { key, on };
    if (before.key === key && before.on !== on) load(entry, "quietly");
  }, [key, on]);
  const reload = useCallback(() => load(entry), [entry]);
  const former = useRef<Data | undefined>(undefined);
  const state = entry.state.value;
  // A list that is narrowed keeps its rows until the others have come.
  const data = state.data ?? (state.isLoading ? former.current : undefined);
  former.current = data;
  return { ...state, data, reload };
}

type GetRoute = Extract<Route, `GET ${string}`>;

/** What the service answers to one of its questions, as `useLoad` keeps it. */
export function useAnswer<R extends GetRoute>(
  route: R,
  asked: Pick<AskOptions<R>, "params" | "query"> = {},
  freshness: Freshness = {},
): Loaded<Routes[R]["answer"]> {
  const key = `${route} ${JSON.stringify(asked)}`;
  return useLoad(key, (leaving) => ask(route, { ...asked, signal: leaving }), freshness);
}

function entryOf<Data>(key: string, fetchData: Fetch<Data>): Entry<Data> {
  const known = entries.get(key);
  if (known) return known as Entry<Data>;
  const added: Entry<Data> = {
    state: newSignal({ data: undefined, problem: undefined, isLoading: true, atMs: undefined }),
    fetchData,
    everyMs: USUAL_MS,
    users: 0,
    askedAtMs: 0,
    leaving: undefined,
  };
  entries.set(key, added);
  return added;
}

function load<Data>(entry: Entry<Data>, how: "quietly" | "seen" = "seen"): void {
  entry.leaving?.abort();
  const leaving = new AbortController();
  entry.leaving = leaving;
  entry.askedAtMs = Date.now();
  const { state } = entry;
  if (how === "seen") state.value = { ...state.value, problem: undefined, isLoading: true };
  void keep(entry, leaving.signal);
}

async function keep<Data>({ state, fetchData }: Entry<Data>, signal: AbortSignal): Promise<void> {
  let came: State<Data>;
  try {
    const data = await fetchData(signal);
    const { data: former } = state.value;
    // What has not changed stays the same object, so that nothing is drawn again.
    const isSame = former !== undefined && JSON.stringify(data) === JSON.stringify(former);
    came = { data: isSame ? former : data, problem: undefined, isLoading: false, atMs: Date.now() };
  } catch (problem) {
    came = { ...state.value, problem: messageOf(problem), isLoading: false };
  }
  if (!signal.aborted) state.value = came;
}

let clock: ReturnType<typeof setInterval> | undefined;
let knownEra = era.peek();

/** One clock refreshes all that is shown. */
function startClock(): void {
  clock ??= setInterval(refresh, TICK_MS);
}

function refresh(): void {
  const isBack = era.peek() !== knownEra;
  knownEra = era.peek();
  if (document.hidden || isCutOff.peek()) return;
  const nowMs = Date.now();
  for (const entry of entries.values()) {
    const { everyMs, askedAtMs, state, users } = entry;
    const isFixed = everyMs === "fixed";
    const isOld = isBack || (!isFixed && nowMs - askedAtMs >= everyMs);
    if (users === 0 || !isOld) continue;
    if (!isFixed || state.peek().problem !== undefined) load(entry, "quietly");
  }
}
