/** The filters of the log, as in the address; missing ones do not narrow it. */
export type Filter = Readonly<Partial<Record<FilterName, string>>>;

const FILTER_NAMES = [
  "search",
  "domain",
  "team",
  "key",
  "result",
  "code",
  "statusCode",
  "kind",
  "format",
  "way",
  "since",
  "until",
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

const HOUR_MS = 60 * 60 * 1000;

/** Result → what it means to the service. */
export const RESULTS: Readonly<Record<string, { readonly name: string; readonly query: object }>> = {
  completed: { name: "Completed", query: { status: "completed" } },
  partial: { name: "Partial: with warnings", query: { partial: "true" } },
  failed: { name: "Failed", query: { status: "failed", refused: "false" } },
  refused: { name: "Refused", query: { kind: "refused" } },
  admitted: { name: "All but refused", query: { refused: "false" } },
};

/** The filter that an address names. */
export function filterOf(query: Readonly<Record<string, string>>): Filter {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = query[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

/** The same filter with one part of it changed. A key belongs to its team. */
export function withPart(filter: Filter, name: FilterName, value: string): Filter {
  const isKept = (part: string) => part !== name && !(name === "team" && part === "key");
  const kept: Filter = Object.fromEntries(Object.entries(filter).filter(([part]) => isKept(part)));
  return value === "" ? kept : { ...kept, [name]: value };
}

/** Path and query of the log with this filter, and the request that is opened in it. */
export function logPath(filter: Filter, id?: string): string {
  const parts = FILTER_NAMES.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]]));
  const query = new URLSearchParams([
    ...parts,
    ...(id === undefined ? [] : [["id", id]]),
  ] as string[][]).toString();
  return query === "" ? "/dashboard/requests" : `/dashboard/requests?${query}`;
}

/** What the service is asked for. A time is a number of hours before now, or a moment. */
export function queryOf({ result, since, until, ...same }: Filter, nowMs = Date.now()) {
  return {
    ...same,
    ...(since !== undefined && { since: momentOf(since, nowMs) }),
    ...(until !== undefined && { until: momentOf(until, nowMs) }),
    ...RESULTS[result ?? ""]?.query,
  };
}

function momentOf(text: string, nowMs: number): string | undefined {
  const hours = Number(text);
  const timeMs = Number.isFinite(hours) ? nowMs - hours * HOUR_MS : Date.parse(text);
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString();
}
