import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ProvidersAnswer, TryToolAnswer } from "@pergamon-dev/server/tools/operator/show-provider";
import { Source } from "../../answers/source.tsx";
import { ask, messageOf, ServiceProblem } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { Fields } from "../../forms/field.tsx";
import { hasMistake } from "../../forms/first-mistake.ts";
import { JsonEditor } from "../../forms/json-editor.tsx";
import { ActButton } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, Notice, Skeleton, WithData } from "../../parts/states.tsx";

type Provider = ProvidersAnswer["data"]["providers"][number];
type Tool = Provider["tools"][number];
type Options = Readonly<Record<string, unknown>>;

interface ToolBenchProps {
  readonly teamId: string;
  readonly choice: JSX.Element;
}

/** Calls one tool of a provider in the name of a team. */
export function ToolBench({ teamId, choice }: ToolBenchProps) {
  const tools = useAnswer("GET /admin/api/providers");
  return (
    <WithData loaded={tools}>
      {({ data: { providers } }) =>
        providers.length === 0 ? (
          <Panel label="Tools">
            <div class="bar">{choice}</div>
            <Empty title="No providers">Set PROVIDERS_FILE to a providers file, and restart.</Empty>
          </Panel>
        ) : (
          <Bench teamId={teamId} choice={choice} providers={providers} />
        )
      }
    </WithData>
  );
}

interface Trial {
  readonly answer?: TryToolAnswer["data"];
  readonly problem?: string;
  /** Whether the team may not run tools, which an operator can change. */
  readonly isForbidden?: boolean;
}

function Bench({ teamId, choice, providers }: ToolBenchProps & { readonly providers: readonly Provider[] }) {
  const calls = providers.flatMap((provider) => provider.tools.map((tool) => ({ provider, tool })));
  const wanted = new URLSearchParams(location.search).get("tool");
  const first = Math.max(
    0,
    calls.findIndex(({ provider, tool }) => `${provider.id}/${tool.id}` === wanted),
  );
  const [index, setIndex] = useState(first);
  const [options, setOptions] = useState<Options>(calls[first]?.tool.example ?? {});
  const [trial, setTrial] = useState<Trial | "running" | undefined>(undefined);
  const call = calls[index];
  async function run(event: Event): Promise<void> {
    event.preventDefault();
    if (!call || hasMistake(document.querySelector("main"))) return;
    setTrial("running");
    const params = { id: call.provider.id };
    const body = { teamId, capability: call.tool.id, options: options as never };
    try {
      setTrial({ answer: (await ask("POST /admin/api/providers/{id}/try", { params, body })).data });
    } catch (problem) {
      const isForbidden = problem instanceof ServiceProblem && problem.status === 403;
      setTrial({ problem: messageOf(problem), isForbidden });
    }
  }
  function choose(next: number): void {
    setIndex(next);
    setOptions(calls[next]?.tool.example ?? {});
    setTrial(undefined);
  }
  return (
    <>
      <Panel label="Request">
        <form class="bar" onSubmit={(event) => void run(event)}>
          {choice}
          <ToolChoice
            names={calls.map(({ provider, tool }) => plainly(`${provider.name}: ${tool.name}`))}
            value={index}
            onChange={choose}
          />
          <ActButton
            route="POST /admin/api/providers/{id}/try"
            type="submit"
            class="btn primary"
            disabled={trial === "running"}
          >
            Run <kbd>↵</kbd>
          </ActButton>
        </form>
      </Panel>
      <div class="bench">
        {call && <ToolOptions tool={call.tool} options={options} onChange={setOptions} />}
        <TrialResult trial={trial} />
      </div>
    </>
  );
}

interface ToolChoiceProps {
  readonly names: readonly string[];
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function ToolChoice({ names, value, onChange }: ToolChoiceProps) {
  return (
    <select
      class="field address"
      aria-label="Tool"
      value={value}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    >
      {names.map((name, at) => (
        <option key={at} value={at}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface ToolOptionsProps {
  readonly tool: Tool;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

function ToolOptions({ tool, options, onChange }: ToolOptionsProps) {
  const price = plural(tool.creditsCost, "credit") + (tool.perRecord ? " a record" : "");
  return (
    <Panel label="Options">
      <div class="opt">
        <h2>
          <span class="foreign">{plainly(tool.name)}</span>
          <span class="faint">{price}</span>
        </h2>
        <p class="help foreign wrap">{plainly(tool.description)}</p>
      </div>
      <div class="opt stack">
        <Fields schema={tool.options} value={options} id="tool" onChange={onChange} />
      </div>
      <details class="opt">
        <summary>
          <span class="grow">Edit as JSON</span>
        </summary>
        <JsonEditor
          label="Options as JSON"
          value={options}
          onChange={(changed) => onChange(changed as Options)}
        />
      </details>
    </Panel>
  );
}

function TrialResult({ trial }: { readonly trial: Trial | "running" | undefined }) {
  if (trial === "running") {
    return (
      <Panel title="Running">
        <Skeleton />
      </Panel>
    );
  }
  if (trial?.problem !== undefined) {
    return (
      <Panel title="Result" beside={<Badge tone="bad">failed</Badge>}>
        <Notice tone="bad" title={trial.problem}>
          {trial.isForbidden === true && (
            <a class="link" href="/dashboard/teams">
              Edit the team to allow provider tools
            </a>
          )}
        </Notice>
      </Panel>
    );
  }
  if (!trial?.answer) {
    return (
      <Panel title="Result">
        <Empty title="No request yet">
          Enter the options and press Run. The call is charged to the team.
        </Empty>
      </Panel>
    );
  }
  const { result, creditsUsed, durationMs } = trial.answer;
  return (
    <Panel
      title="Result"
      beside={<span class="faint">{`${duration(durationMs)} · ${plural(creditsUsed, "credit")}`}</span>}
    >
      <Source text={JSON.stringify(result, null, 2)} label="result" />
    </Panel>
  );
}
