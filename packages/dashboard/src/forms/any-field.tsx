import { useState } from "preact/hooks";

import type { FieldProps } from "./field-props.ts";
import { Option } from "./option.tsx";

/** A value that has no control of its own, as JSON. */
export function AnyField({ title, schema, value, id, onChange }: FieldProps) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  function read(text: string): void {
    setTyped(text);
    try {
      onChange(text.trim() === "" ? undefined : (JSON.parse(text) as unknown));
      setProblem(undefined);
    } catch {
      setProblem("Invalid JSON.");
    }
  }
  return (
    <Option title={title} help={schema.description} id={id} isSet={value !== undefined} isTall>
      <textarea
        class="field"
        id={id}
        rows={3}
        placeholder="JSON"
        aria-invalid={problem !== undefined}
        value={typed ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        onInput={({ currentTarget }) => read(currentTarget.value)}
        onBlur={() => problem === undefined && setTyped(undefined)}
      />
      {problem !== undefined && <p class="problem">{problem}</p>}
    </Option>
  );
}
