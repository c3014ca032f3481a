import { z } from "zod";

import { errorCodes } from "../contract/errors.ts";
import { scrapeRequestSchema } from "../scrape/request.ts";
import { answerSchemas } from "./openapi-answers.ts";

/** Answers that are no JSON. */
const otherAnswers = {
  text: { "text/plain": { schema: { type: "string" } } },
  file: { "*/*": { schema: { type: "string", format: "binary" } } },
} as const;

interface Operation {
  readonly summary: string;
  readonly tag: "Scraping" | "Account" | "Service";
  /** Name of the schema of the 200 answer. */
  readonly answer: keyof typeof answerSchemas | keyof typeof otherAnswers;
  readonly body?: "ScrapeRequest";
  readonly parameters?: readonly object[];
  readonly errors?: readonly number[];
}

const idParameter = {
  name: "id",
  in: "path",
  required: true,
  description: "metadata.scrapeId of an earlier scrape.",
  schema: { type: "string", format: "uuid" },
};

/** One line per operation: `METHOD path`. */
const operations: Readonly<Record<string, Operation>> = {
  "POST /v2/scrape": {
    summary: "Scrape one page",
    tag: "Scraping",
    body: "ScrapeRequest",
    answer: "ScrapeAnswer",
    errors: [400, 401, 404, 408, 413, 500, 501],
  },
  "GET /v2/scrape/{id}": {
    summary: "The data of an earlier scrape, kept for 24 hours",
    tag: "Scraping",
    parameters: [idParameter],
    answer: "ScrapeAnswer",
    errors: [400, 401, 404],
  },
  "GET /v2/files/{name}": {
    summary: "A file that an answer links to",
    tag: "Scraping",
    parameters: [
      { name: "name", in: "path", required: true, schema: { type: "string" } },
      { name: "expires", in: "query", required: true, schema: { type: "string" } },
      { name: "signature", in: "query", required: true, schema: { type: "string" } },
    ],
    answer: "file",
    errors: [404, 410],
  },
  "GET /v2/browser/profiles": {
    summary: "Named browser storage of the team",
    tag: "Scraping",
    answer: "Profiles",
  },
  "DELETE /v2/browser/profiles/{name}": {
    summary: "Delete named browser storage",
    tag: "Scraping",
    parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
    answer: "Done",
    errors: [401, 404, 409],
  },
  "GET /v2/team/credit-usage": { summary: "Credits left this month", tag: "Account", answer: "CreditUsage" },
  "GET /v2/team/token-usage": { summary: "The same in tokens", tag: "Account", answer: "TokenUsage" },
  "GET /v2/team/credit-usage/historical": {
    summary: "Credits used, by month",
    tag: "Account",
    answer: "UsageHistory",
  },
  "GET /v2/team/token-usage/historical": {
    summary: "Tokens used, by month",
    tag: "Account",
    answer: "UsageHistory",
  },
  "GET /v2/team/queue-status": {
    summary: "Pages being fetched and waiting",
    tag: "Account",
    answer: "QueueStatus",
  },
  "GET /v2/team/activity": { summary: "Latest requests", tag: "Account", answer: "Activity" },
  "GET /v2/concurrency-check": { summary: "Concurrency in use", tag: "Account", answer: "Concurrency" },
  "GET /healthz": { summary: "Whether the process lives", tag: "Service", answer: "Health" },
  "GET /readyz": { summary: "Whether every part answers", tag: "Service", answer: "Health", errors: [503] },
  "GET /metrics": { summary: "Figures for Prometheus", tag: "Service", answer: "text" },
};

/** The OpenAPI 3.1 document of the service, made from the schemas that validate the requests. */
export function openApiDocument(serverUrl: string): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "Pergamon",
      version: "2",
      description: `Turns one web page into clean data.\n\n${errorTable()}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearerAuth: [] }, {}],
    paths: paths(),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          description: "A key of the form fc-…; not needed in open mode.",
        },
      },
      schemas: { ScrapeRequest: requestSchema(), ...answers() },
    },
  };
}

function paths(): Record<string, Record<string, object>> {
  const result: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = name.split(" ");
    result[path] = { ...result[path], [method.toLowerCase()]: describeOperation(operation) };
  }
  return result;
}

function describeOperation({ summary, tag, answer, body, parameters, errors = [401] }: Operation): object {
  const content =
    answer in otherAnswers
      ? otherAnswers[answer as keyof typeof otherAnswers]
      : { "application/json": { schema: ref(answer) } };
  const failures = errors.map((status) => [
    String(status),
    { description: `Failure ${status}`, content: { "application/json": { schema: ref("Error") } } },
  ]);
  return {
    summary,
    tags: [tag],
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: ref(body) } } } }),
    responses: { "200": { description: "Success", content }, ...Object.fromEntries(failures) },
  };
}

function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function requestSchema(): object {
  const schema = z.toJSONSchema(
    scrapeRequestSchema(() => false),
    { io: "input", unrepresentable: "any" },
  );
  const { $schema: _dialect, ...rest } = schema;
  const entries = Object.entries(rest.properties ?? {}).filter(([name]) => !name.startsWith("__"));
  return { ...rest, properties: Object.fromEntries(entries) };
}

function answers(): Record<string, object> {
  const schemas = Object.entries(answerSchemas).map(([name, schema]) => {
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "output" });
    return [name, rest] as const;
  });
  return Object.fromEntries(schemas);
}

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`,
  );
  return ["| Status | Code | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}
