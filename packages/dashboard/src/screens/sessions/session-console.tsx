import { useState } from "preact/hooks";

import type { SessionRunAnswer } from "@pergamon-dev/server/interact/operator";
import { ask, messageOf } from "../../client/ask.ts";
import { count } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { ActButton, whyForbidden } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";

const LANGUAGES = { node: "Node", python: "Python", bash: "Bash", prompt: "Prompt" } as const;
type Language = keyof typeof LANGUAGES;
const ROUTE = "POST /admin/api/sessions/{id}/run";

const EXAMPLES: Readonly<Record<Language, string>> = {
  node: "await page.title()",
  python: "print(await page.title())",
  bash: "agent-browser snapshot -i",
  prompt: "Open the first result, and return its title.",
};

const OF_THE_TEAM = "Runs as a call of the team of the session.";
const HINTS: Readonly<Record<Language, string>> = {
  node: OF_THE_TEAM,
  python: OF_THE_TEAM,
  bash: OF_THE_TEAM,
  prompt: "A prompt raises the price of the whole session.",
};

/** Seconds. */
const TIMEOUT = 60;
/** Calls that are shown. */
const SHOWN = 20;

/** Of what a call said. */
const SHOWN_CHARACTERS = 20_000;

/** A call, and what came of it. */
interface Entry {
  readonly number: number;
  readonly language: Language;
  readonly text: string;
  readonly outcome: SessionRunAnswer["data"] | { readonly problem: string };
}

interface SessionConsoleProps {
  readonly id: string;
  /** Called after a call, which may have changed what the session costs. */
  readonly onRan: () => void;
}

/** Runs code or prompts on the page, as the team of the session does. */
export function SessionConsole({ id, onRan }: SessionConsoleProps) {
  const [language, setLanguage] = useState<Language>("node");
  const [text, setText] = useState("");
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [isRunning, setRunning] = useState(false);
  async function run(): Promise<void> {
    if (text.trim() === "" || isRunning) return;
    setRunning(true);
    const outcome = await runIn(id, language, text).catch((problem: unknown) => ({
      problem: messageOf(problem),
    }));
    setEntries((before) =>
      [{ number: before.length + 1, language, text, outcome }, ...before].slice(0, SHOWN),
    );
    setRunning(false);
    onRan();
  }
  function submitByKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || whyForbidden(ROUTE)) return;
    event.preventDefault();
    void run();
  }
  return (
    <Panel title="Console" class="console">
      <div class="row tight pad">
        <Tabs
          label="Language"
          tabs={LANGUAGES}
          selected={language}
          onSelect={(next) => setLanguage(next as Language)}
        />
      </div>
      <div class="pad" onKeyDown={submitByKey}>
        <textarea
          class="field mono"
          rows={4}
          spellcheck={false}
          aria-label={language === "prompt" ? "Task in natural language" : `Code in ${LANGUAGES[language]}`}
          placeholder={EXAMPLES[language]}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div class="row">
          <span class="help grow">{HINTS[language]}</span>
          <ActButton route={ROUTE} class="btn small primary" disabled={isRunning} onClick={() => void run()}>
            {isRunning ? "Running" : "Run"}
          </ActButton>
        </div>
      </div>
      <div role="log" aria-label="Calls" class="calls">
        {entries.map((entry) => (
          <CallEntry key={entry.number} entry={entry} />
        ))}
      </div>
    </Panel>
  );
}

function CallEntry({ entry: { language, text, outcome } }: { readonly entry: Entry }) {
  const isGood = !("problem" in outcome) && outcome.exitCode === 0 && !outcome.killed;
  return (
    <article>
      <div class="row tight">
        <Badge tone={isGood ? "ok" : "bad"}>{isGood ? "done" : "failed"}</Badge>
        <span class="faint">
          {LANGUAGES[language]}
          {"durationMs" in outcome && `, ${duration(outcome.durationMs)}`}
        </span>
      </div>
      <pre class="wrap foreign dim">{text}</pre>
      <pre class="wrap foreign">{shown("problem" in outcome ? outcome.problem : textOf(outcome))}</pre>
    </article>
  );
}

/** The end of a long text, which is where errors stand. */
function shown(text: string): string {
  const before = text.length - SHOWN_CHARACTERS;
  return before > 0 ? `${count(before)} characters before …\n${text.slice(before)}` : text;
}

/** Everything that a call said, in the order in which people look for it. */
function textOf({
  output,
  stdout,
  stderr,
  result,
  error,
  killed,
  truncated,
}: SessionRunAnswer["data"]): string {
  const parts = [
    error,
    output,
    stdout,
    stderr,
    output === null ? result : null,
    killed ? "The code was killed because it exceeded its time or memory limit." : null,
    truncated ? "The output was truncated." : null,
  ].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? "No output." : parts.join("\n");
}

async function runIn(id: string, language: Language, text: string): Promise<SessionRunAnswer["data"]> {
  const body =
    language === "prompt" ? { prompt: text, timeout: TIMEOUT } : { code: text, language, timeout: TIMEOUT };
  return (await ask(ROUTE, { params: { id }, body })).data;
}
