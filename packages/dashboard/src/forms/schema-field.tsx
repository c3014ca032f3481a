import { useState } from "preact/hooks";

import type { FieldProps } from "./field-props.ts";
import { JsonEditor } from "./json-editor.tsx";
import { Option } from "./option.tsx";
import { schemaOfExample } from "./schema-of-example.ts";

/** Shows what a schema looks like: a list within an object, and three types. */
const EXAMPLE = { title: "Linen apron", price: 34.5, inStock: true, tags: ["kitchen"] };

/** A JSON Schema: written, or made from an example of the wanted answer. */
export function SchemaField({ title, schema, value, id, onChange }: FieldProps) {
  const [isByExample, setByExample] = useState(false);
  const isWritten = isByExample || value !== undefined;
  return (
    <Option
      title={title}
      help={schema.description}
      id={isWritten ? id : undefined}
      isSet={value !== undefined}
      isTall
    >
      <div class="schema-field">
        <div class="row tight wrapping">
          <button type="button" class="chip" onClick={() => onChange(schemaOfExample(EXAMPLE))}>
            Insert example
          </button>
          <button
            type="button"
            class="chip"
            aria-pressed={isByExample}
            onClick={() => setByExample(!isByExample)}
          >
            From an answer
          </button>
          {value !== undefined && (
            <button type="button" class="chip" onClick={() => onChange(undefined)}>
              Clear
            </button>
          )}
        </div>
        {isByExample ? (
          <>
            <p class="help">Write the answer that you want: the schema follows from it.</p>
            <JsonEditor
              label="Example of the answer"
              id={id}
              value={EXAMPLE}
              onChange={(example) => onChange(schemaOfExample(example))}
            />
          </>
        ) : (
          value !== undefined && <JsonEditor label="Schema" id={id} value={value} onChange={onChange} />
        )}
        {value === undefined && !isByExample && (
          <p class="help">No schema: all values that the prompt asks for.</p>
        )}
      </div>
    </Option>
  );
}
