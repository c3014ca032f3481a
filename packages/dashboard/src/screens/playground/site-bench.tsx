import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";

import { ask, messageOf, ServiceProblem } from "../../client/ask.ts";
import { Fields } from "../../forms/field.tsx";
import { hasMistake } from "../../forms/first-mistake.ts";
import { JsonEditor } from "../../forms/json-editor.tsx";
import type { JsonSchema } from "../../forms/json-schema.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Panel } from "../../parts/page.tsx";
import { tell } from "../../parts/toasts.tsx";
import { WithData } from "../../parts/states.tsx";
import { useSchema } from "../../client/schema.ts";
import { address } from "./request.ts";
import { optionsOf, post, type RequestBody, routeOfPosts } from "../../client/post.ts";
import { type SiteOutcome, SiteResult } from "./site-result.tsx";

/** What stands in the bar: the member of the request, and its name. */
const ONE_URL = { member: "url", name: "URL", hint: "https://example.com" } as const;
const MANY_URLS = {
  member: "urls",
  name: "URLs, one per line",
  hint: "https://example.com\nhttps://example.org",
} as const;
const PROMPT = { member: "prompt", name: "Prompt", hint: "Who founded Example, and when?" } as const;
const QUERY = { member: "query", name: "Query", hint: "how anvils are made" } as const;

/** Work on whole sites and many pages → where it is sent, and what it is sent as. */
const SITES = {
  map: { path: "/v2/map", shape: "MapRequest", options: {}, bar: ONE_URL },
  batch: {
    path: "/v2/batch/scrape",
    shape: "BatchRequest",
    options: { formats: ["markdown"] },
    bar: MANY_URLS,
  },
  // A trial should not visit ten thousand pages.
  crawl: { path: "/v2/crawl", shape: "CrawlRequest", options: { limit: 10 }, bar: ONE_URL },
  search: { path: "/v2/search", shape: "SearchRequest", options: { limit: 5 }, bar: QUERY },
  extract: { path: "/v2/extract", shape: "ExtractRequest", options: {}, bar: MANY_URLS },
  agent: { path: "/v2/agent", shape: "AgentRequest", options: {}, bar: PROMPT },
} as const;

/** Set by the address bar, or of no use to a person. */
const LEFT_OUT: ReadonlySet<string> = new Set(["origin", "integration", "appendToId"]);

interface SiteBenchProps {
  readonly endpoint: keyof typeof SITES;
  readonly teamId: string;
  readonly choice: JSX.Element;
}

/** Maps a site, or starts a job in the name of a team. */
export function SiteBench({ endpoint, teamId, choice }: SiteBenchProps) {
  const { path, shape, bar } = SITES[endpoint];
  const [options, setOptions] = useState<RequestBody>(SITES[endpoint].options);
  const [addresses, setAddresses] = useState(
    bar.name.startsWith("URL") && typeof address.peek() === "string" ? String(address.peek()) : "",
  );
  useOptionsOfJob((asked, urls) => {
    setOptions(asked);
    setAddresses(typeof asked["url"] === "string" ? asked["url"] : urls.join("\n"));
  });
  const { outcome, run, cancel } = useRun(path, teamId);
  const schema = useSchema(shape);
  const lines = addresses
    .trim()
    .split(/\s*\n\s*/)
    .filter((line) => line !== "");
  const said = bar.member === "urls" ? lines : bar.member === "url" ? lines.join("") : addresses;
  const body = { ...options, [bar.member]: said };
  return (
    <>
      <Panel label="Request">
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            if (!hasMistake(document.querySelector("main"))) void run(body);
          }}
        >
          {choice}
          <Said bar={bar} value={addresses} onChange={setAddresses} />
          <ActButton
            route={routeOfPosts()}
            type="submit"
            class="btn primary"
            disabled={outcome === "running"}
          >
            Run <kbd>↵</kbd>
          </ActButton>
        </form>
      </Panel>
      <div class="bench">
        <WithData loaded={schema} lines={12}>
          {(known) => (
            <SiteOptions schema={known} leftOut={bar.member} options={options} onChange={setOptions} />
          )}
        </WithData>
        <SiteResult outcome={outcome} onCancel={cancel} />
      </div>
    </>
  );
}

/** Pages of a batch that are taken over. */
const MAX_URLS = 1000;

/** Takes over what the job was asked for that the address names, and the first pages of a batch. */
function useOptionsOfJob(take: (asked: RequestBody, urls: readonly string[]) => void): void {
  const { job } = useLocation().query;
  useEffect(() => {
    if (job === undefined) return undefined;
    const leaving = new AbortController();
    const asked = { params: { id: job }, signal: leaving.signal };
    Promise.all([
      ask("GET /admin/api/jobs/{id}", asked),
      ask("GET /admin/api/jobs/{id}/pages", { ...asked, query: { limit: MAX_URLS } }),
    ]).then(
      ([{ data }, pages]) =>
        data.request &&
        take(
          optionsOf(data.request),
          pages.data.flatMap(({ url }) => url ?? []),
        ),
      (problem: unknown) => leaving.signal.aborted || tell("bad", messageOf(problem)),
    );
    return () => leaving.abort();
  }, [job]);
}

interface SaidProps {
  readonly bar: typeof ONE_URL | typeof MANY_URLS | typeof PROMPT | typeof QUERY;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Said({ bar: { member, name, hint }, value, onChange }: SaidProps) {
  if (member === "urls" || member === "prompt") {
    return (
      <textarea
        class="field address mono"
        aria-label={name}
        placeholder={hint}
        rows={4}
        required
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <input
      class="field address"
      aria-label={name}
      placeholder={hint}
      required
      spellcheck={false}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface SiteOptionsProps {
  readonly schema: JsonSchema;
  /** What stands in the bar. */
  readonly leftOut: string;
  readonly options: RequestBody;
  readonly onChange: (options: RequestBody) => void;
}

function SiteOptions({ schema, leftOut, options, onChange }: SiteOptionsProps) {
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name !== leftOut && !LEFT_OUT.has(name),
  );
  return (
    <Panel label="Options">
      <div class="opt stack">
        <Fields
          schema={{ ...schema, required: [], properties: Object.fromEntries(properties) }}
          value={options}
          id="site"
          onChange={onChange}
        />
      </div>
      <details class="opt">
        <summary>
          <span class="grow">Edit as JSON</span>
        </summary>
        <JsonEditor
          label="Options as JSON"
          value={options}
          onChange={(changed) => onChange(changed as RequestBody)}
        />
      </details>
    </Panel>
  );
}

/** Sends a request and remembers how it ended. Leaving the screen gives it up. */
function useRun(path: `/v2/${string}`, teamId: string) {
  const [outcome, setOutcome] = useState<SiteOutcome>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  async function run(body: RequestBody): Promise<void> {
    const current = new AbortController();
    running.current?.abort();
    running.current = current;
    setOutcome("running");
    try {
      const answer = await post(path, body, teamId, current.signal);
      const isProblem = answer instanceof ServiceProblem;
      setOutcome(isProblem ? { problem: answer.message, details: answer.details } : { answer });
    } catch (problem) {
      if (!current.signal.aborted) setOutcome({ problem: messageOf(problem), details: undefined });
    }
  }
  function cancel(): void {
    running.current?.abort();
    setOutcome(undefined);
  }
  return { outcome, run, cancel };
}
