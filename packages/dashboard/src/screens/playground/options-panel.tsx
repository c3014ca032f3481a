import { useComputed } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";

import { Field } from "../../forms/field.tsx";
import { JsonEditor } from "../../forms/json-editor.tsx";
import type { JsonSchema } from "../../forms/json-schema.ts";
import { Panel } from "../../parts/page.tsx";
import { groupsOf } from "./endpoints.ts";
import { body, options, setBody, setOption } from "./request.ts";
import type { RequestBody } from "../../client/post.ts";

/** Every option of a request in groups, and the same request as JSON. Each draws itself again when it changes, alone. */
export function OptionsPanel({ schema }: { readonly schema: JsonSchema }) {
  const groups = useMemo(() => groupsOf(schema), [schema]);
  return (
    <Panel label="Options">
      {groups.map(({ title, isOpen, names }) => {
        const fields = names.map((name) => (
          <OptionField key={name} name={name} schema={schema.properties?.[name] ?? {}} />
        ));
        if (isOpen) {
          return (
            <div class="opt" key={title}>
              <h2>{title}</h2>
              <div class="stack">{fields}</div>
            </div>
          );
        }
        return (
          <details class="opt" key={title}>
            <summary>
              <span class="grow">{title}</span>
              <SetCount names={names} />
            </summary>
            <div class="stack">{fields}</div>
          </details>
        );
      })}
      <AsJson />
    </Panel>
  );
}

function OptionField({ name, schema }: { readonly name: string; readonly schema: JsonSchema }) {
  const value = useComputed(() => options.value[name]);
  return (
    <Field
      name={name}
      schema={schema}
      value={value.value}
      id={`option-${name}`}
      isRequired={false}
      onChange={(changed) => setOption(name, changed)}
    />
  );
}

/** How many options of a group are set. */
function SetCount({ names }: { readonly names: readonly string[] }) {
  const used = useComputed(() => names.filter((name) => options.value[name] !== undefined).length);
  return used.value === 0 ? null : <span class="badge accent">{used.value} set</span>;
}

function AsJson() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="opt" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="grow">Edit as JSON</span>
      </summary>
      {isOpen && <BodyEditor />}
    </details>
  );
}

function BodyEditor() {
  return (
    <JsonEditor
      label="Request as JSON"
      value={body.value}
      onChange={(changed) => isBody(changed) && setBody(changed)}
    />
  );
}

function isBody(value: unknown): value is RequestBody {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
