import { Field } from "../../forms/field.tsx";
import { JsonEditor } from "../../forms/json-editor.tsx";
import type { JsonSchema } from "../../forms/json-schema.ts";
import { withMember } from "../../forms/object-field.tsx";
import { Panel } from "../../parts/page.tsx";
import { groupsOf } from "./endpoints.ts";

type Body = Readonly<Record<string, unknown>>;

interface OptionsPanelProps {
  readonly schema: JsonSchema;
  readonly body: Body;
  readonly onChange: (body: Body) => void;
}

/** Every option of a request in groups, and the same request as JSON. */
export function OptionsPanel({ schema, body, onChange }: OptionsPanelProps) {
  return (
    <Panel label="Options">
      {groupsOf(schema).map(({ title, isOpen, names }) => {
        const fields = <GroupFields schema={schema} names={names} body={body} onChange={onChange} />;
        if (isOpen) {
          return (
            <div class="opt" key={title}>
              <h2>{title}</h2>
              <div class="stack">{fields}</div>
            </div>
          );
        }
        const used = names.filter((name) => body[name] !== undefined).length;
        return (
          <details class="opt" key={title}>
            <summary>
              <span class="grow">{title}</span>
              {used > 0 && <span class="badge accent">{used} set</span>}
            </summary>
            <div class="stack">{fields}</div>
          </details>
        );
      })}
      <details class="opt">
        <summary>
          <span class="grow">Edit as JSON</span>
        </summary>
        <JsonEditor
          label="Request as JSON"
          value={body}
          onChange={(changed) => isBody(changed) && onChange(changed)}
        />
      </details>
    </Panel>
  );
}

interface GroupFieldsProps extends OptionsPanelProps {
  readonly names: readonly string[];
}

function GroupFields({ schema, names, body, onChange }: GroupFieldsProps) {
  return (
    <>
      {names.map((name) => (
        <Field
          key={name}
          name={name}
          schema={schema.properties?.[name] ?? {}}
          value={body[name]}
          id={`option-${name}`}
          isRequired={false}
          onChange={(value) => onChange(withMember(body, name, value))}
        />
      ))}
    </>
  );
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
