import { useState } from "preact/hooks";

import type { FieldProps } from "./field-props.ts";
import { Option } from "./option.tsx";

/** A list of texts, one per line. */
export function LinesField(props: FieldProps) {
  const lines = Array.isArray(props.value) ? props.value.map(String) : [];
  return (
    <TextLines
      {...props}
      hint="one per line"
      text={lines.join("\n")}
      read={(text) => {
        const entries = text.split("\n").filter((line) => line.trim() !== "");
        return entries.length === 0 ? undefined : entries;
      }}
    />
  );
}

/** Names with texts, such as headers: `name: text` per line. */
export function MapField(props: FieldProps) {
  const entries = Object.entries((props.value ?? {}) as Readonly<Record<string, unknown>>);
  return (
    <TextLines
      {...props}
      hint="name: value"
      text={entries.map(([name, text]) => `${name}: ${String(text)}`).join("\n")}
      read={(text) => {
        const pairs = text.split("\n").flatMap((line) => {
          const [, name, value] = /^\s*([^:]+?)\s*:\s*(.*)$/.exec(line) ?? [];
          return name === undefined ? [] : [[name, value ?? ""]];
        });
        return pairs.length === 0 ? undefined : (Object.fromEntries(pairs) as unknown);
      }}
    />
  );
}

interface TextLinesProps extends FieldProps {
  readonly hint: string;
  readonly text: string;
  readonly read: (text: string) => unknown;
}

function TextLines({ title, schema, value, id, onChange, hint, text, read }: TextLinesProps) {
  // What is being typed may not be an entry yet.
  const [typed, setTyped] = useState<string | undefined>(undefined);
  return (
    <Option title={title} help={schema.description} id={id} isSet={value !== undefined} isTall>
      <textarea
        class="field"
        id={id}
        rows={2}
        placeholder={hint}
        value={typed ?? text}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(read(currentTarget.value));
        }}
        onBlur={() => setTyped(undefined)}
      />
    </Option>
  );
}
