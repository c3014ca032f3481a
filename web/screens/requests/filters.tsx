import { Choice } from "../../parts/choice.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";

/** What the log is narrowed to; empty members do not narrow it. */
export interface Filter {
  readonly search: string;
  readonly team: string;
  readonly result: string;
  readonly format: string;
  readonly way: string;
  readonly since: string;
}

export const NO_FILTER: Filter = { search: "", team: "", result: "", format: "", way: "", since: "" };

const HOUR_MS = 60 * 60 * 1000;

/** Result → what it means to the service. */
const RESULTS: Readonly<Record<string, { readonly name: string; readonly query: object }>> = {
  completed: { name: "Completed", query: { status: "completed" } },
  failed: { name: "Failed", query: { status: "failed" } },
  timeout: { name: "Timeouts", query: { code: "SCRAPE_TIMEOUT" } },
  403: { name: "Pages with 403", query: { statusCode: 403 } },
  404: { name: "Pages with 404", query: { statusCode: 404 } },
};

const FORMATS = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "screenshot",
  "json",
  "summary",
  "product",
  "menu",
];
const WAYS = ["cache", "http", "browser", "enhanced", "document"];
const SPANS: Readonly<Record<string, string>> = { 1: "Last hour", 24: "Last 24 h", 168: "Last 7 days" };

/** What the service is asked for. */
export function queryOf({ search, team, result, format, way, since }: Filter, nowMs = Date.now()) {
  return {
    search,
    team,
    format,
    way,
    since: since === "" ? undefined : new Date(nowMs - Number(since) * HOUR_MS).toISOString(),
    ...RESULTS[result]?.query,
  };
}

interface FiltersProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export function Filters({ filter, onChange }: FiltersProps) {
  const set = (name: keyof Filter) => (value: string) => onChange({ ...filter, [name]: value });
  return (
    <div class="filters" role="search">
      <input
        class="field"
        type="search"
        aria-label="URL or id"
        placeholder="URL or id"
        value={filter.search}
        onInput={({ currentTarget }) => set("search")(currentTarget.value)}
      />
      <Choice
        label="Result"
        all="Any result"
        options={Object.fromEntries(Object.entries(RESULTS).map(([id, { name }]) => [id, name]))}
        value={filter.result}
        onChange={set("result")}
      />
      <Choice
        label="Format"
        all="Any format"
        options={named(FORMATS)}
        value={filter.format}
        onChange={set("format")}
      />
      <Choice
        label="Source"
        all="Any source"
        options={named(WAYS)}
        value={filter.way}
        onChange={set("way")}
      />
      <Choice label="Time" all="Any time" options={SPANS} value={filter.since} onChange={set("since")} />
      <TeamChoice value={filter.team} onChange={set("team")} everybody="All teams" />
    </div>
  );
}

function named(ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id) => [id, id]));
}
