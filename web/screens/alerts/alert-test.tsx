import { useState } from "preact/hooks";

import type { AlertTestAnswer } from "../../../src/contract/operator/alerts.ts";
import { ask, messageOf } from "../../client/ask.ts";
import { plainly } from "../../format/foreign.ts";
import { Sign } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";

type Results = AlertTestAnswer["data"]["results"];

const WAYS = { webhook: "Webhook", mail: "Mail" } as const;

/** Sends a message by every saved way, and shows what came of it. */
export function AlertTest({ hasWay }: { readonly hasWay: boolean }) {
  const [results, setResults] = useState<Results | "running" | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  async function send(): Promise<void> {
    setResults("running");
    setProblem(undefined);
    try {
      setResults((await ask("POST /admin/api/alerts/test", {})).data.results);
    } catch (failure) {
      setResults(undefined);
      setProblem(messageOf(failure));
    }
  }
  const isRunning = results === "running";
  return (
    <Panel
      title="Try it"
      beside={
        <button type="button" class="btn small" disabled={!hasWay || isRunning} onClick={() => void send()}>
          {isRunning ? "Sending" : "Send a test alert"}
        </button>
      }
    >
      <div class="body" role="status">
        {results === undefined && (
          <p class="help">
            {hasWay ? "Sends one message to each saved receiver." : "Save a webhook or a recipient first."}
          </p>
        )}
        {problem !== undefined && <p class="problem wrap foreign">{plainly(problem)}</p>}
        {Array.isArray(results) && (
          <ul class="checks">
            {results.map(({ channel, ok, detail }) => (
              <li key={channel}>
                <Sign tone={ok ? "ok" : "bad"} name={ok ? "Sent" : "Failed"} /> {WAYS[channel]}
                <p class="help wrap foreign">{plainly(detail)}</p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}
