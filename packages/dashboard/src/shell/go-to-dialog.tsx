import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import { ask } from "../client/ask.ts";
import { plainly } from "../format/foreign.ts";
import { moment } from "../format/times.ts";
import { inWords, shortUrl } from "../parts/request-marks.tsx";
import { screens } from "../screens/all.ts";
import { isGoToOpen } from "./go-to.tsx";

interface Place {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
}

/** Asks where to go. */
export function GoToDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal("");
  const selected = useSignal(0);
  const found = useSignal<readonly Place[]>([]);
  const { route } = useLocation();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useSearch(text.value, (places) => (found.value = places));
  const places = [...placesOf(text.value), ...found.value];

  function go(place: Place | undefined): void {
    if (!place) return;
    isGoToOpen.value = false;
    route(place.path);
  }
  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") go(places[selected.value]);
    if (step === undefined) return;
    event.preventDefault();
    selected.value = Math.min(places.length - 1, Math.max(0, selected.value + step));
  }
  return (
    <dialog class="go" ref={dialog} aria-label="Go to" onClose={() => (isGoToOpen.value = false)}>
      <input
        class="field"
        role="combobox"
        aria-expanded="true"
        aria-controls="places"
        aria-activedescendant={`place-${selected.value}`}
        aria-label="Screen, id, URL or key"
        placeholder="Screen, id, URL or key"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          selected.value = 0;
        }}
        onKeyDown={move}
      />
      <ul role="listbox" id="places" aria-label="Places">
        {places.map((place, index) => (
          <li
            key={place.path + place.name}
            id={`place-${index}`}
            role="option"
            aria-selected={index === selected.value}
            onClick={() => go(place)}
          >
            <span class="cut foreign">{plainly(place.name)}</span>
            <span class="faint">{place.kind}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const ACTIONS = [
  { name: "New key", path: "/dashboard/keys?new=1" },
  { name: "Back up now", path: "/dashboard/backups" },
] as const;

/** Places that are known without asking. */
function placesOf(text: string): readonly Place[] {
  const wanted = text.trim().toLowerCase();
  const found = screens
    .filter(({ name, group }) => group !== "Detail" && name.toLowerCase().includes(wanted))
    .map(({ name, path }) => ({ name, path, kind: "screen" }));
  if (wanted === "") return found;
  const search = encodeURIComponent(text.trim());
  const acts = ACTIONS.filter(({ name }) => name.toLowerCase().includes(wanted));
  return [
    ...found,
    ...acts.map((action) => ({ ...action, kind: "action" })),
    ...(UUID.test(wanted)
      ? [
          { name: `Job ${wanted}`, path: `/dashboard/jobs?id=${search}`, kind: "job" },
          { name: `Monitor ${wanted}`, path: `/dashboard/monitors?id=${search}`, kind: "monitor" },
        ]
      : [
          {
            name: `Settings with ${text.trim()}`,
            path: `/dashboard/settings?search=${search}`,
            kind: "settings",
          },
        ]),
    { name: `Requests with ${text.trim()}`, path: `/dashboard/requests?search=${search}`, kind: "search" },
    ...(/^https?:\/\//.test(wanted)
      ? [{ name: `Scrape ${text.trim()}`, path: `/dashboard/playground?url=${search}`, kind: "run" }]
      : []),
  ];
}

/** Asks the service too, once the typing pauses. */
function useSearch(text: string, onFound: (places: readonly Place[]) => void): void {
  useEffect(() => {
    const wanted = text.trim();
    const leaving = new AbortController();
    onFound([]);
    if (wanted.length < 3) return undefined;
    const timer = setTimeout(() => {
      Promise.all([requestsWith(wanted, leaving.signal), teamsAndKeysWith(wanted, leaving.signal)]).then(
        (places) => onFound(places.flat()),
        () => undefined,
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
}

async function requestsWith(search: string, leaving: AbortSignal): Promise<readonly Place[]> {
  const { data } = await ask("GET /admin/api/requests", { query: { search, limit: 5 }, signal: leaving });
  return data.map(({ id, url, createdAt, status, statusCode, errorCode }) => {
    const result = status === "failed" ? inWords(errorCode ?? "failed") : String(statusCode ?? "done");
    const kind = `${moment(createdAt)} · ${plainly(result)}`;
    return { name: shortUrl(url), kind, path: `/dashboard/requests?id=${id}` };
  });
}

async function teamsAndKeysWith(search: string, leaving: AbortSignal): Promise<readonly Place[]> {
  const query = { search, limit: 5 };
  const [teams, keys] = await Promise.all([
    ask("GET /admin/api/teams", { query, signal: leaving }),
    ask("GET /admin/api/keys", { query, signal: leaving }),
  ]);
  return [
    ...teams.data.map(({ name, teamId }) => ({
      name,
      kind: "team",
      path: `/dashboard/team?id=${encodeURIComponent(teamId)}`,
    })),
    ...keys.data.map(({ name, keyId, teamId, ending }) => ({
      name: name === "" ? keyId : name,
      kind: ending === null ? "key" : `key fc-…${ending}`,
      path: `/dashboard/requests?team=${encodeURIComponent(teamId)}&key=${encodeURIComponent(keyId)}`,
    })),
  ];
}
