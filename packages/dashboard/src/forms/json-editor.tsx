import { useEffect, useRef, useState } from "preact/hooks";

interface JsonEditorProps {
  readonly label: string;
  /** Of the text, for a label that stands elsewhere. */
  readonly id?: string;
  readonly value: unknown;
  /** Called with what the text means, each time it means something. */
  readonly onChange: (value: unknown) => void;
}

/** A text of JSON with line numbers. What is typed counts as soon as it is JSON; until then its error is shown. */
export function JsonEditor({ label, id, value, onChange }: JsonEditorProps) {
  const written = JSON.stringify(value, null, 2);
  const [text, setText] = useState(written);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const numbers = useRef<HTMLPreElement>(null);
  useEffect(() => {
    // Changed from outside: what was typed means something else.
    if (inOrder(parsed(text)) === inOrder(value)) return;
    setText(written);
    setProblem(undefined);
  }, [written]);

  function read(typed: string): void {
    setText(typed);
    try {
      const meant: unknown = JSON.parse(typed);
      setProblem(undefined);
      onChange(meant);
    } catch (error) {
      setProblem(describe(error, typed));
    }
  }
  return (
    <div>
      <div class={`lined ${problem === undefined ? "" : "wrong"}`}>
        <pre aria-hidden="true" ref={numbers}>
          {text.split("\n").map((_, index) => `${index + 1}\n`)}
        </pre>
        <textarea
          aria-label={label}
          {...(id !== undefined && { id })}
          aria-invalid={problem !== undefined}
          spellcheck={false}
          autocapitalize="off"
          value={text}
          onInput={({ currentTarget }) => read(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
      <p class="problem" role="status">
        {problem}
      </p>
    </div>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Where JSON ends to be JSON, by line. */
function describe(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "";
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
  return `Invalid JSON in line ${text.slice(0, position).split("\n").length}.`;
}

/** JSON by which values are compared: members may be in any order. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
