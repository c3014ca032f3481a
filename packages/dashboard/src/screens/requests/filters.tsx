import { useEffect, useRef } from "preact/hooks";

import { session } from "../../client/session.ts";
import { useName } from "../../client/names.ts";
import { Choice } from "../../parts/choice.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { plainly } from "../../format/foreign.ts";
import { FORMATS } from "../../forms/format-groups.ts";
import { type Filter, type FilterName, RESULTS, withPart } from "./filter.ts";

const WAYS = ["cache", "http", "browser", "enhanced"];
/** Besides pages of jobs. */
const KINDS = ["scrape", "map", "search", "parse", "session", "tool", "refused"];
const SPANS: Readonly<Record<string, string>> = {
  1: "Last hour",
  24: "Last 24 h",
  168: "Last 7 days",
  720: "Last 30 days",
};

interface FiltersProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export function Filters({ filter, onChange }: FiltersProps) {
  const set = (name: FilterName) => (value: string) => onChange(withPart(filter, name, value));
  return (
    <div class="filters" role="search">
      <input
        class="field"
        type="search"
        aria-label="URL or id"
        placeholder="URL or id"
        aria-keyshortcuts="/"
        ref={useSlash()}
        value={filter.search ?? ""}
        onInput={({ currentTarget }) => set("search")(currentTarget.value)}
      />
      <Choice
        label="Result"
        all="Any result"
        options={Object.fromEntries(Object.entries(RESULTS).map(([id, { name }]) => [id, name]))}
        value={filter.result ?? ""}
        onChange={set("result")}
      />
      <Choice
        label="Kind"
        all="Any kind"
        options={named([...KINDS, ...(session.value?.kinds ?? []).map(({ endpoint }) => endpoint)])}
        value={filter.kind ?? ""}
        onChange={set("kind")}
      />
      <Choice
        label="Format"
        all="Any format"
        options={named(FORMATS)}
        value={filter.format ?? ""}
        onChange={set("format")}
      />
      <Choice
        label="Source"
        all="Any source"
        options={named(WAYS)}
        value={filter.way ?? ""}
        onChange={set("way")}
      />
      <Times filter={filter} onChange={onChange} />
      <TeamChoice value={filter.team ?? ""} onChange={set("team")} everybody="All teams" />
      <Set name="domain" words="Site" filter={filter} onRemove={set("domain")} />
      <Set name="code" words="Code" filter={filter} onRemove={set("code")} />
      <Set name="statusCode" words="Status" filter={filter} onRemove={set("statusCode")} />
      {filter.key !== undefined && <SetKey filter={filter} onRemove={set("key")} />}
    </div>
  );
}

/** The last hours, or from one moment to another. */
function Times({ filter, onChange }: FiltersProps) {
  const set = (name: FilterName) => (value: string) => onChange(withPart(filter, name, value));
  const { since = "", until } = filter;
  const isHours = /^\d+$/.test(since);
  const isExact = until !== undefined || (since !== "" && !isHours);
  const further = isHours && SPANS[since] === undefined ? { [since]: `Last ${Number(since) / 24} days` } : {};
  const choose = (chosen: string) =>
    onChange(withPart(withPart(filter, "until", ""), "since", chosen === "exact" ? yesterday() : chosen));
  return (
    <>
      <Choice
        label="Time"
        all="Any time"
        options={{ ...SPANS, ...further, exact: "From … to" }}
        value={isExact ? "exact" : since}
        onChange={choose}
      />
      {isExact && (
        <>
          <Moment label="From" value={since} onChange={set("since")} />
          <Moment label="To" value={until ?? ""} onChange={set("until")} />
        </>
      )}
    </>
  );
}

interface SetProps {
  readonly filter: Filter;
  readonly onRemove: (nothing: "") => void;
}

/** A part of the filter that came with a link. */
function Set({
  name,
  words,
  filter,
  onRemove,
}: SetProps & { readonly name: FilterName; readonly words: string }) {
  const value = filter[name];
  return value === undefined ? null : (
    <Removable words={`${words}: ${value}`} onRemove={() => onRemove("")} />
  );
}

function SetKey({ filter: { key = "" }, onRemove }: SetProps) {
  const name = useName("keys", key);
  return <Removable words={`Key: ${name}`} onRemove={() => onRemove("")} />;
}

function Removable({ words, onRemove }: { readonly words: string; readonly onRemove: () => void }) {
  return (
    <button
      type="button"
      class="chip on foreign"
      aria-label={`Remove the filter ${words}`}
      onClick={onRemove}
    >
      {plainly(words)} <span aria-hidden="true">✕</span>
    </button>
  );
}

function Moment({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label class="row">
      <span class="dim">{label}</span>
      <input
        class="field moment"
        type="datetime-local"
        value={localOf(value)}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === "" ? "" : new Date(currentTarget.value).toISOString())
        }
      />
    </label>
  );
}

/** As the control has it: local time, without seconds. */
function localOf(iso: string): string {
  const timeMs = Date.parse(iso);
  if (Number.isNaN(timeMs)) return "";
  return new Date(timeMs - new Date(timeMs).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function yesterday(): string {
  return new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
}

/** `/` leads to the search from anywhere but a field. */
function useSlash() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      field.current?.focus();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return field;
}

/** Whether a key is meant for a field, a dialog or the browser. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return (
    target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]") !== null
  );
}

function named(ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id) => [id, id]));
}
