import { useState } from "preact/hooks";

import { resolved, type Schema, type ServiceDocument } from "./document.ts";
import { bounds, partsBelow, typeWords } from "./schema-words.ts";

interface SchemaProps {
  readonly schema: Schema;
  readonly document: ServiceDocument;
}

/** The shape of a value. What lies deeper is drawn when it is opened. */
export function SchemaView({ schema, document }: SchemaProps) {
  const shape = resolved(schema, document);
  const ways = shape.anyOf?.map((way) => resolved(way, document));
  if (ways?.some(({ properties }) => properties)) {
    return (
      <>
        {ways.map((way, index) => (
          <Opened key={index} words={variantName(way, shape.anyOf?.[index])} isOpen={index === 0}>
            {() => <Members schema={way} document={document} />}
          </Opened>
        ))}
      </>
    );
  }
  const own = partsBelow(shape);
  if (own.length === 0) return <p class="help">{typeWords(shape)}</p>;
  if (own[0] === shape) return <Members schema={shape} document={document} />;
  return (
    <>
      <p class="help">{typeWords(shape)}</p>
      {own.map((part, index) => (
        <Members key={index} schema={part} document={document} />
      ))}
    </>
  );
}

function Members({ schema, document }: SchemaProps) {
  const { properties = {}, required = [] } = schema;
  const entries = Object.entries(properties);
  if (entries.length === 0) return <p class="help">{typeWords(schema)}</p>;
  return (
    <ul class="members">
      {entries.map(([name, member]) => (
        <Member
          key={name}
          name={name}
          schema={resolved(member, document)}
          isRequired={required.includes(name)}
          document={document}
        />
      ))}
    </ul>
  );
}

interface MemberProps extends SchemaProps {
  readonly name: string;
  readonly isRequired: boolean;
}

/** A member of a body, or a parameter. */
export function Member({ name, schema, isRequired, document }: MemberProps) {
  const below = partsBelow(schema);
  return (
    <li>
      <p class="row tight wrapping">
        <code class="name">{name}</code>
        <span class="type">{typeWords(schema)}</span>
        {isRequired && <b class="badge">required</b>}
        {bounds(schema).map((word) => (
          <span class="faint" key={word}>
            {word}
          </span>
        ))}
      </p>
      {schema.description !== undefined && <p class="help">{schema.description}</p>}
      {below.map((part, index) => (
        <Opened key={index} words={variantName(part)} isOpen={false}>
          {() => (
            <>
              {part !== schema && part.description !== undefined && <p class="help">{part.description}</p>}
              <Members schema={part} document={document} />
            </>
          )}
        </Opened>
      ))}
    </li>
  );
}

interface OpenedProps {
  readonly words: string;
  readonly isOpen: boolean;
  readonly children: () => preact.ComponentChildren;
}

function Opened({ words, isOpen, children }: OpenedProps) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{words}</summary>
      {isShown && children()}
    </details>
  );
}

/** The value that tells a variant from the others, or the name of its shape. */
function variantName({ properties = {} }: Schema, { $ref }: Schema = {}): string {
  const named = $ref?.split("/").at(-1);
  if (named !== undefined) return named;
  const told = Object.entries(properties).find(([, { const: value }]) => value !== undefined);
  if (told) return `${told[0]}: ${JSON.stringify(told[1].const)}`;
  const names = Object.keys(properties);
  return `{ ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""} }`;
}
