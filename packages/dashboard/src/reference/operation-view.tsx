import { useState } from "preact/hooks";

import { SNIPPETS } from "../format/request-snippets.ts";
import { TabPanel, Tabs } from "../parts/tabs.tsx";
import { type Content, exampleOf, type Operation, type ServiceDocument } from "./document.ts";
import { Code } from "./code.tsx";
import { exampleRequest, playgroundOf } from "./request-examples.ts";
import { Member, SchemaView } from "./schema-view.tsx";

type Language = keyof typeof SNIPPETS;

const NAMES = Object.fromEntries(Object.keys(SNIPPETS).map((name) => [name, name]));

interface OperationProps {
  readonly operation: Operation;
  readonly document: ServiceDocument;
}

/** Everything about one operation: what it takes and answers, and the request as code. */
export function OperationView({ operation, document }: OperationProps) {
  const { summary, method, path, part } = operation;
  return (
    <article>
      <h1>{summary}</h1>
      <p class="line">
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <code class="wrap">{path}</code>
      </p>
      <p class="help">
        {part === "operator" ? "Needs the operator key." : "Needs an API key, unless the service is open."}
      </p>
      <div class="beside">
        <div class="stack wide">
          <Parameters operation={operation} document={document} />
          <Body operation={operation} document={document} />
          <Answers operation={operation} document={document} />
        </div>
        <div class="stack wide examples">
          <Examples operation={operation} document={document} />
        </div>
      </div>
    </article>
  );
}

const PLACES = { path: "Path", query: "Query", header: "Headers" } as const;

function Parameters({ operation: { parameters = [] }, document }: OperationProps) {
  return (
    <>
      {(["path", "query", "header"] as const).map((place) => {
        const here = parameters.filter((parameter) => parameter.in === place);
        return here.length === 0 ? null : (
          <section key={place}>
            <h2>{PLACES[place]}</h2>
            <ul class="members">
              {here.map(({ name, schema, required }) => (
                <Member key={name} name={name} schema={schema} isRequired={required} document={document} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function Body({ operation: { requestBody }, document }: OperationProps) {
  if (!requestBody) return null;
  return (
    <section>
      <h2>Body</h2>
      {Object.entries(requestBody.content).map(([type, { schema = {} }]) => (
        <div key={type}>
          <p class="faint">{type}</p>
          <SchemaView schema={schema} document={document} />
        </div>
      ))}
    </section>
  );
}

function Answers({ operation: { responses, line }, document }: OperationProps) {
  const [status, setStatus] = useState("200");
  const shown = responses[status] ?? responses["200"];
  const tabs = Object.fromEntries(Object.keys(responses).map((each) => [each, each]));
  return (
    <section key={line}>
      <h2>Response</h2>
      <Tabs label="Status" tabs={tabs} selected={status} onSelect={setStatus} />
      <TabPanel label="Status" selected={status} class="stack">
        {Object.entries(shown?.content ?? {}).map(([type, content]) => (
          <div key={type + status} class="stack">
            <p class="faint">{type}</p>
            <SchemaView schema={content.schema ?? {}} document={document} />
            <Example content={content} />
          </div>
        ))}
      </TabPanel>
    </section>
  );
}

function Example({ content }: { readonly content: Content }) {
  const example = exampleOf(content);
  if (example === undefined) return null;
  return (
    <Code label="Example" text={typeof example === "string" ? example : JSON.stringify(example, null, 2)} />
  );
}

function Examples({ operation, document }: OperationProps) {
  const [language, setLanguage] = useState<Language>("curl");
  const [server] = document.servers;
  const baseUrl = server === undefined || server.url === "/" ? location.origin : server.url;
  const text = SNIPPETS[language](exampleRequest(operation, baseUrl));
  const playground = playgroundOf(operation, document);
  return (
    <section>
      <h2>Request</h2>
      <Tabs
        label="Language"
        tabs={NAMES}
        selected={language}
        onSelect={(id) => setLanguage(id as Language)}
      />
      <TabPanel label="Language" selected={language}>
        <Code label={`Request in ${language}`} text={text} />
      </TabPanel>
      {playground !== undefined && (
        <p>
          <a class="btn" href={playground}>
            Try it in the playground
          </a>
        </p>
      )}
    </section>
  );
}
