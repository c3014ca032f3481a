import { indented, pythonValue } from "./literals.ts";

/** A request that can be sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Undefined: it has none. */
  readonly json: unknown;
  /** The environment variable with the key, so that no copy holds one; undefined: none is needed. */
  readonly key: string | undefined;
  /** Media types that it takes; undefined: any. */
  readonly accept?: string;
}

/** Ways to send a request without a client of the service → the request as code, ready to be run. */
export const SNIPPETS = { curl, JavaScript: javascript, Python: python } as const;

function curl({ method, url, json, key, accept }: SentRequest): string {
  const isUsual = method === "GET" || (method === "POST" && json !== undefined);
  const lines = [
    `curl -sS${isUsual ? "" : ` -X ${method}`} ${quoted(url)}`,
    ...(json === undefined ? [] : ["-H 'content-type: application/json'"]),
    ...(accept === undefined ? [] : [`-H ${quoted(`accept: ${accept}`)}`]),
    ...(key === undefined ? [] : [`-H "authorization: Bearer $${key}"`]),
    ...(json === undefined ? [] : [`-d ${quoted(JSON.stringify(json, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}

function javascript({ method, url, json, key }: SentRequest): string {
  const headers = [
    ...(json === undefined ? [] : [`\n    "content-type": "application/json",`]),
    ...(key === undefined ? [] : [`\n    authorization: \`Bearer \${process.env.${key}}\`,`]),
  ];
  const body =
    json === undefined ? "" : `\n  body: JSON.stringify(${indented(JSON.stringify(json, null, 2), "  ")}),`;
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: ${JSON.stringify(method)},
  headers: {${headers.join("")}${headers.length > 0 ? "\n  " : ""}},${body}
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.text());`;
}

function python({ method, url, json, key }: SentRequest): string {
  const headers = [
    ...(json === undefined ? [] : [`"content-type": "application/json"`]),
    ...(key === undefined ? [] : [`"authorization": "Bearer " + os.environ["${key}"]`]),
  ];
  return [
    ...(json === undefined ? [] : ["import json"]),
    ...(key === undefined ? [] : ["import os"]),
    "import urllib.error",
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    `    method=${JSON.stringify(method)},`,
    `    headers={${headers.join(", ")}},`,
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
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
