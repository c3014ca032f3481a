import { indented, pythonValue } from "../format/literals.ts";
import { exampleOf, type Operation, type Parameter } from "./document.ts";

/** A request that can be sent. */
export interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  /** Undefined: it has none. */
  readonly json: unknown;
  /** The environment variable with the key. */
  readonly key: string;
}

/** Language → the request in it. */
export const LANGUAGES: Readonly<Record<string, (request: ExampleRequest) => string>> = {
  curl,
  JavaScript: javascript,
  Python: python,
};

export function exampleRequest(operation: Operation, baseUrl: string): ExampleRequest {
  const { method, path, parameters = [], requestBody, part } = operation;
  const json = requestBody?.content["application/json"];
  return {
    method,
    url: baseUrl + pathWith(path, parameters) + queryOf(parameters),
    json: json && exampleOf(json),
    key: part === "operator" ? "ADMIN_KEY" : "PERGAMON_API_KEY",
  };
}

function pathWith(path: string, parameters: readonly Parameter[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const found = parameters.find((parameter) => parameter.in === "path" && parameter.name === name);
    const [example] = found?.schema.examples ?? [];
    return example === undefined ? whole : encodeURIComponent(textOf(example));
  });
}

/** Required ones alone: the list has the others. */
function queryOf(parameters: readonly Parameter[]): string {
  const needed = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const query = needed.map(({ name, schema }) => [name, textOf(schema.examples?.[0] ?? "…")]);
  return query.length === 0 ? "" : `?${new URLSearchParams(query).toString()}`;
}

function textOf(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example);
}

function curl({ method, url, json, key }: ExampleRequest): string {
  const lines = [
    `curl -sS${method === "GET" || (method === "POST" && json !== undefined) ? "" : ` -X ${method}`} ${quoted(url)}`,
    `-H "authorization: Bearer $${key}"`,
    ...(json === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(json, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}

function javascript({ method, url, json, key }: ExampleRequest): string {
  const body =
    json === undefined ? "" : `\n  body: JSON.stringify(${indented(JSON.stringify(json, null, 2), "  ")}),`;
  const type = json === undefined ? "" : `\n    "content-type": "application/json",`;
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: ${JSON.stringify(method)},
  headers: {
    authorization: \`Bearer \${process.env.${key}}\`,${type}
  },${body}
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.text());`;
}

function python({ method, url, json, key }: ExampleRequest): string {
  const type = json === undefined ? "" : `, "content-type": "application/json"`;
  return [
    ...(json === undefined ? [] : ["import json"]),
    "import os",
    "import urllib.error",
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    `    method=${JSON.stringify(method)},`,
    `    headers={"authorization": "Bearer " + os.environ["${key}"]${type}},`,
    ...(json === undefined ? [] : [`    data=json.dumps(${pythonValue(json, 1)}).encode(),`]),
    ")",
    "try:",
    "    with urllib.request.urlopen(request) as response:",
    "        print(response.read().decode())",
    "except urllib.error.HTTPError as error:",
    "    raise SystemExit(error.read().decode())",
  ].join("\n");
}

/** For a shell: nothing within is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
