import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { messageOf, ServiceProblem } from "../../client/ask.ts";
import { Fields } from "../../forms/field.tsx";
import { hasMistake } from "../../forms/first-mistake.ts";
import { JsonEditor } from "../../forms/json-editor.tsx";
import type { JsonSchema } from "../../forms/json-schema.ts";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { useSchema } from "../../client/schema.ts";
import { address } from "./request.ts";
import { post, type RequestBody } from "./run.ts";
import { type SiteOutcome, SiteResult } from "./site-result.tsx";

/** Work on whole sites and many pages → where it is sent, and what it is sent as. */
const SITES = {
  map: { path: "/v2/map", shape: "MapRequest", options: {} },
  batch: { path: "/v2/batch/scrape", shape: "BatchRequest", options: { formats: ["markdown"] } },
  // A trial should not visit ten thousand pages.
  crawl: { path: "/v2/crawl", shape: "CrawlRequest", options: { limit: 10 } },
} as const;

/** Set by the address bar, or of no use to a person. */
const LEFT_OUT: ReadonlySet<string> = new Set(["url", "urls", "origin", "integration", "appendToId"]);

interface SiteBenchProps {
  readonly endpoint: keyof typeof SITES;
  readonly teamId: string;
  readonly choice: JSX.Element;
}

/** Maps a site, or starts a job in the name of a team. */
export function SiteBench({ endpoint, teamId, choice }: SiteBenchProps) {
  const { path, shape } = SITES[endpoint];
  const [options, setOptions] = useState<RequestBody>(SITES[endpoint].options);
  const [addresses, setAddresses] = useState(
    typeof address.peek() === "string" ? String(address.peek()) : "",
  );
  const { outcome, run, cancel } = useRun(path, teamId);
  const schema = useSchema(shape);
  const lines = addresses.split(/\s+/).filter((line) => line !== "");
  const body = endpoint === "batch" ? { urls: lines, ...options } : { url: lines.join(""), ...options };
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
          <Addresses isMany={endpoint === "batch"} value={addresses} onChange={setAddresses} />
          <button type="submit" class="btn primary" disabled={outcome === "running"}>
            Run <kbd>↵</kbd>
          </button>
        </form>
      </Panel>
      <div class="bench">
        <WithData loaded={schema} lines={12}>
          {(known) => <SiteOptions schema={known} options={options} onChange={setOptions} />}
        </WithData>
        <SiteResult outcome={outcome} onCancel={cancel} />
      </div>
    </>
  );
}

interface AddressesProps {
  readonly isMany: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Addresses({ isMany, value, onChange }: AddressesProps) {
  if (isMany) {
    return (
      <textarea
        class="field address mono"
        aria-label="URLs, one per line"
        placeholder={"https://example.com\nhttps://example.org"}
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
      aria-label="URL"
      placeholder="https://example.com"
      required
      spellcheck={false}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface SiteOptionsProps {
  readonly schema: JsonSchema;
  readonly options: RequestBody;
  readonly onChange: (options: RequestBody) => void;
}

function SiteOptions({ schema, options, onChange }: SiteOptionsProps) {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !LEFT_OUT.has(name));
  return (
    <Panel label="Options">
      <div class="opt stack">
        <Fields
          schema={{ ...schema, properties: Object.fromEntries(properties) }}
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
