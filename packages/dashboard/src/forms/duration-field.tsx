import { useState } from "preact/hooks";

import type { FieldProps } from "./field-props.ts";
import { Option } from "./option.tsx";

/** Unit → milliseconds; the largest that fits is shown. */
const UNITS = { days: 86_400_000, h: 3_600_000, min: 60_000, s: 1000, ms: 1 } as const;

const DURATION = /^\s*(\d+(?:\.\d+)?)\s*(days?|d|h|min|s|ms)?\s*$/i;

/** A span of time in words, such as `2 days`, of which the request has milliseconds. */
export function DurationField({ title, schema, value, id, onChange }: FieldProps) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const usual = typeof schema.default === "number" ? inWords(schema.default) : "usual";
  const isWrong = typed !== undefined && typed.trim() !== "" && millisecondsOf(typed) === undefined;
  return (
    <Option title={title} help={schema.description} id={id} isSet={value !== undefined}>
      <input
        class="field narrow num"
        id={id}
        placeholder={usual}
        aria-invalid={isWrong}
        value={typed ?? (typeof value === "number" ? inWords(value) : "")}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(millisecondsOf(currentTarget.value));
        }}
        onBlur={() => !isWrong && setTyped(undefined)}
      />
      {isWrong && <p class="problem">Write 500 ms, 30 s, 5 min or 2 days.</p>}
    </Option>
  );
}

/** `2 days`, `60 s`, `500 ms`. */
function inWords(milliseconds: number): string {
  const unit = Object.entries(UNITS).find(
    ([, length]) => milliseconds >= length * 2 && milliseconds % length === 0,
  );
  const [name, length] = unit ?? ["ms", 1];
  return `${milliseconds / length} ${name}`;
}

/** Without a unit, milliseconds are meant, as in the request. */
function millisecondsOf(text: string): number | undefined {
  const [, amount, unit = "ms"] = DURATION.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const name = /^d/i.test(unit) ? "days" : (unit.toLowerCase() as keyof typeof UNITS);
  return Math.round(Number(amount) * UNITS[name]);
}
