import { useState } from "preact/hooks";

import type { FieldProps } from "./field-props.ts";
import { groupsOf } from "./format-groups.ts";
import { type Variant, variantsOf } from "./json-schema.ts";
import { Explain } from "./option.tsx";

/** Several of a choice, each with options of its own, such as formats. */
export function VariantsField({
  name: option,
  title,
  schema,
  value,
  id,
  onChange,
  fields: Fields,
}: FieldProps) {
  const variants = variantsOf(schema);
  const entries = Array.isArray(value) ? (value as readonly unknown[]) : [];

  function toggle({ name, canBeName }: Variant): void {
    const others = entries.filter((entry) => nameOf(entry) !== name);
    const added = others.length === entries.length ? [canBeName ? name : { type: name }] : [];
    const changed = [...others, ...added];
    onChange(changed.length === 0 ? undefined : changed);
  }
  function change(name: string, options: Readonly<Record<string, unknown>>, canBeName: boolean): void {
    const entry = canBeName && Object.keys(options).length === 0 ? name : { type: name, ...options };
    onChange(entries.map((before) => (nameOf(before) === name ? entry : before)));
  }
  return (
    <div class="stack">
      {groupsOf(option, variants).map((group) => (
        <Chips
          key={group.title}
          title={group.title ?? title}
          isTitled={group.title !== undefined}
          variants={group.variants}
          isChosen={({ name }) => entries.some((entry) => nameOf(entry) === name)}
          onToggle={toggle}
        />
      ))}
      {variants.map(({ name, options, canBeName }) => {
        const entry = entries.find((candidate) => nameOf(candidate) === name);
        if (entry === undefined || Object.keys(options?.properties ?? {}).length === 0) return null;
        return (
          <details class="sub" key={name} open>
            <summary>{name}</summary>
            <Fields
              schema={options ?? {}}
              value={optionsOf(entry)}
              id={`${id}-${name}`}
              onChange={(changed) => change(name, changed, canBeName)}
            />
          </details>
        );
      })}
    </div>
  );
}

interface ChipsProps {
  readonly title: string;
  readonly isTitled: boolean;
  readonly variants: readonly Variant[];
  readonly isChosen: (variant: Variant) => boolean;
  readonly onToggle: (variant: Variant) => void;
}

/** Those of one group, and what each of them is. */
function Chips({ title, isTitled, variants, isChosen, onToggle }: ChipsProps) {
  const [isExplained, setExplained] = useState(false);
  return (
    <div class="stack tight">
      {isTitled && (
        <span class="row tight">
          <span class="faint">{title}</span>
          <Explain about={title} isOpen={isExplained} onChange={setExplained} />
        </span>
      )}
      <div class="chips" role="group" aria-label={title}>
        {variants.map((variant) => (
          <button
            type="button"
            class="chip"
            key={variant.name}
            aria-pressed={isChosen(variant)}
            onClick={() => onToggle(variant)}
          >
            {variant.name}
          </button>
        ))}
      </div>
      {isExplained && (
        <dl class="explained">
          {variants.map(({ name, options }) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd class="help">{options?.description}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function nameOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "type" in entry ? entry.type : entry;
}

function optionsOf(entry: unknown): Readonly<Record<string, unknown>> {
  if (typeof entry !== "object" || entry === null) return {};
  const { type: _, ...options } = entry as Readonly<Record<string, unknown>>;
  return options;
}
