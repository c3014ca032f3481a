import { signal } from "@preact/signals";

import type { OperatorRoutes as Routes } from "@pergamon-dev/server/operator/operator-routes";

export type { Routes };
export type Route = keyof Routes;

export interface AskOptions<R extends Route> {
  /** What is in braces in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Routes[R] extends { query: infer Query } ? Query : never;
  readonly body?: Routes[R] extends { body: infer Body } ? Body : never;
  /** Version of what is changed: the change is refused if another operator changed it meanwhile. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal;
}

type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** What the service said no with. */
export class ServiceProblem extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: unknown;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body["error"] === "string" ? body["error"] : `The service answered with status ${status}.`);
    this.status = status;
    this.code = typeof body["code"] === "string" ? body["code"] : undefined;
    this.details = body["details"];
  }
}

/** How many questions are not answered yet. */
export const unanswered = signal(0);

/** Counts answers that say that the login has ended. */
export const loggedOut = signal(0);

/**
 * Asks the service one of its routes.
 *
 * @throws ServiceProblem when it refuses; TypeError when it cannot be reached.
 */
export function ask<R extends Route>(route: R, options: AskOptions<R> = {}): Promise<Routes[R]["answer"]> {
  unanswered.value += 1;
  return answerOf(route, options).finally(() => (unanswered.value -= 1));
}

async function answerOf<R extends Route>(route: R, options: AskOptions<R>): Promise<Routes[R]["answer"]> {
  const [method = "GET", path = ""] = route.split(" ");
  const { params = {}, query, body, ifMatch, signal: aborts } = options;
  const response = await fetch(addressOf(path, params, query as QueryValues | undefined), {
    method,
    headers: {
      "x-pergamon": "dashboard",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(aborts && { signal: aborts }),
  });
  return (await read(response)) as Routes[R]["answer"];
}

/** @throws ServiceProblem unless the answer is good. */
async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  const body = parsed(text);
  if (response.ok) return body;
  if (response.status === 401) loggedOut.value += 1;
  throw new ServiceProblem(response.status, body);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** Path and query of a route. What is undefined or empty is left out of the query. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, string>>,
  query: QueryValues = {},
): string {
  const values = new Map(Object.entries(params));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? filled : `${filled}?${text}`;
}

/** What went wrong, in words for a person. */
export function messageOf(problem: unknown): string {
  if (problem instanceof ServiceProblem) return problem.message;
  if (problem instanceof TypeError) return "The service cannot be reached. Is it running?";
  return problem instanceof Error ? problem.message : String(problem);
}
