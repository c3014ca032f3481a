import type { SentRequest } from "../format/request-snippets.ts";
import { exampleOf, type Operation, type Parameter, type ServiceDocument } from "./document.ts";

export function exampleRequest(operation: Operation, baseUrl: string): SentRequest {
  const { method, path, parameters = [], requestBody, part } = operation;
  const json = requestBody?.content["application/json"];
  return {
    method,
    url: baseUrl + pathWith(path, parameters) + queryOf(parameters),
    json: json && exampleOf(json),
    key: part === "operator" ? "ADMIN_KEY" : "FIRECRAWL_API_KEY",
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
  const query = needed.map(({ name, schema }) => [name, textOf(schema.examples?.[0] ?? "…")] as const);
  return query.length === 0 ? "" : `?${new URLSearchParams(Object.fromEntries(query)).toString()}`;
}

function textOf(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example);
}

/** Operations that can be tried in the dashboard → their name there. */
const TRIED: ReadonlyMap<string, string> = new Map([
  ["POST /v2/scrape", "scrape"],
  ["POST /v2/map", "map"],
  ["POST /v2/batch/scrape", "batch"],
  ["POST /v2/crawl", "crawl"],
  ["POST /v2/parse", "file"],
]);

/** Where an operation is tried; undefined where it cannot be. */
export function playgroundOf(
  { line, requestBody }: Operation,
  document: ServiceDocument,
): string | undefined {
  const endpoint = TRIED.get(line);
  if (endpoint === undefined || !document["x-dashboard"]) return undefined;
  const json = requestBody?.content["application/json"];
  const request =
    endpoint === "scrape" ? `#request=${encodeURIComponent(JSON.stringify(json && exampleOf(json)))}` : "";
  return `/dashboard/playground?endpoint=${endpoint}${request}`;
}
