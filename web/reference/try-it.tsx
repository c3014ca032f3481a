import { useState } from "preact/hooks";

import { Code } from "./code.tsx";
import { exampleRequest } from "./request-examples.ts";
import type { Operation } from "./document.ts";

/** So much of an answer is shown. */
const MAX_CHARACTERS = 50_000;

/** Sends the request from this page. The key is held by the field alone, and nowhere stored. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const { method, line, requestBody } = operation;
  const example = exampleRequest(operation, "");
  const [path, setPath] = useState(example.url);
  const [body, setBody] = useState(example.json === undefined ? "" : JSON.stringify(example.json, null, 2));
  const [key, setKey] = useState("");
  const [answer, setAnswer] = useState<{ readonly label: string; readonly text: string } | undefined>();
  const [isRunning, setRunning] = useState(false);
  const takesJson = requestBody?.content["application/json"] !== undefined;

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    setRunning(true);
    setAnswer(await ask(method, path, { key, body: takesJson ? body : undefined }));
    setRunning(false);
  }
  return (
    <details class="try" key={line}>
      <summary>Try it</summary>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <label>
          <span class="label">Path and query</span>
          <input
            class="field"
            type="text"
            spellcheck={false}
            value={path}
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
        </label>
        {takesJson && <BodyField value={body} onChange={setBody} />}
        <label>
          <span class="label">Key</span>
          <input
            class="field"
            type="password"
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <div>
          <button type="submit" class="btn primary" disabled={isRunning}>
            {isRunning ? "Sending" : "Send request"}
          </button>
        </div>
      </form>
      <div aria-live="polite">{answer && <Code label={answer.label} text={answer.text} />}</div>
    </details>
  );
}

interface BodyFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function BodyField({ value, onChange }: BodyFieldProps) {
  return (
    <label>
      <span class="label">Body</span>
      <textarea
        class="field"
        rows={8}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

interface Sent {
  readonly key: string;
  readonly body: string | undefined;
}

async function ask(method: string, path: string, { key, body }: Sent) {
  const startedAtMs = performance.now();
  try {
    const response = await fetch(path.startsWith("/") ? path : `/${path}`, {
      method,
      headers: {
        ...(key !== "" && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
      // What the dashboard is logged in with is not used here.
      credentials: "omit",
    });
    const text = readable(await response.text());
    const tookMs = Math.round(performance.now() - startedAtMs);
    const label = `${response.status} after ${tookMs} ms`;
    return { label, text: text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n…` : text };
  } catch (failure) {
    return { label: "No answer", text: String(failure) };
  }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
