import { useState } from "preact/hooks";

import type { TestAnswer } from "@pergamon-dev/server/operator/settings";
import { ask, messageOf } from "../../client/ask.ts";
import { duration } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Sign } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Words } from "../../parts/words.tsx";

/** Parts that can be tried → what is tried. */
const PARTS = {
  browser: "Open a page in the browser",
  model: "Call the language model",
  proxies: "Connect through each proxy",
  collector: "Connect to the audit collector",
} as const;
type Part = keyof typeof PARTS;

/** Tries parts of the service that need something outside of it. */
export function PartTests() {
  return (
    <Panel title="Test connections">
      <ul class="checks">
        {Object.entries(PARTS).map(([part, title]) => (
          <PartTest key={part} part={part as Part} title={title} />
        ))}
      </ul>
    </Panel>
  );
}

type Result = Pick<TestAnswer["data"], "ok" | "detail" | "remedy" | "durationMs">;

function PartTest({ part, title }: { readonly part: Part; readonly title: string }) {
  const [result, setResult] = useState<Result | "running" | undefined>(undefined);
  async function run(): Promise<void> {
    setResult("running");
    try {
      setResult((await ask("POST /admin/api/test/{part}", { params: { part } })).data);
    } catch (problem) {
      setResult({ ok: false, detail: messageOf(problem), remedy: null, durationMs: 0 });
    }
  }
  const isDone = result !== undefined && result !== "running";
  return (
    <li>
      <div class="grow" aria-live="polite">
        <b>{title}</b>
        {isDone && (
          <p class="help row tight">
            <Sign tone={result.ok ? "ok" : "bad"} name={result.ok ? "Works" : "Does not work"} />
            <span class="wrap foreign">{`${result.detail} (${duration(result.durationMs)})`}</span>
          </p>
        )}
        {isDone && result.remedy !== null && (
          <p class="help remedy">
            <Words text={result.remedy} />
          </p>
        )}
      </div>
      <ActButton
        route="POST /admin/api/test/{part}"
        class="btn small"
        aria-label={`Test: ${title}`}
        disabled={result === "running"}
        onClick={() => void run()}
      >
        {result === "running" ? "Testing" : "Test"}
      </ActButton>
    </li>
  );
}
