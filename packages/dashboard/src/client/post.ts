import type { JobAnswer } from "@pergamon-dev/server/jobs/operator/show-job";
import { ask, ServiceProblem } from "./ask.ts";
import { session } from "./session.ts";

export type RequestBody = Readonly<Record<string, unknown>>;

/** A key is used this much shorter than it holds: a run may take minutes. */
const MARGIN_MS = 6 * 60 * 1000;

/** Keys of this page by team, each for an hour. */
const keys = new Map<string, { readonly apiKey: string; readonly endsAtMs: number }>();

/** Sends a request in the name of a team. @returns its answer, or what the service said no with. */
export async function post(
  path: `/v2/${string}`,
  body: RequestBody,
  teamId: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | ServiceProblem> {
  const authorization = await authorizationOf(teamId);
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization },
    body: JSON.stringify({ ...body, origin: "dashboard" }),
    signal,
  });
  return answerOf(response);
}

export async function answerOf(
  response: Response,
): Promise<Readonly<Record<string, unknown>> | ServiceProblem> {
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  const isGood = response.ok && answer["success"] === true;
  return isGood ? answer : new ServiceProblem(response.status, answer);
}

/** What a request in the name of a team needs first. Where everybody may scrape, nothing. */
export const routeOfPosts = () =>
  session.value?.auth === "open" ? undefined : ("POST /admin/api/playground-key" as const);

/** Where everybody may scrape, nothing is needed. */
export async function authorizationOf(teamId: string): Promise<{ readonly authorization?: string }> {
  if (routeOfPosts() === undefined) return {};
  const known = keys.get(teamId);
  if (known && known.endsAtMs - MARGIN_MS > Date.now()) return { authorization: `Bearer ${known.apiKey}` };
  const made = await ask("POST /admin/api/playground-key", { body: { teamId } });
  keys.set(teamId, { apiKey: made.apiKey, endsAtMs: Date.parse(made.expiresAt) });
  return { authorization: `Bearer ${made.apiKey}` };
}

/** What a job was asked for, without what the log does not know. */
export function optionsOf({ body, masked }: NonNullable<JobAnswer["data"]["request"]>): RequestBody {
  return masked.reduce<RequestBody>((rest, path) => withoutPath(rest, path.split(".")), body as RequestBody);
}

/** The body without one of its members, which may be within others. */
export function withoutPath(value: RequestBody, [name, ...rest]: readonly string[]): RequestBody {
  if (name === undefined) return value;
  const others = Object.fromEntries(Object.entries(value).filter(([own]) => own !== name));
  const inner = Object.entries(value).find(([own]) => own === name)?.[1];
  if (rest.length === 0 || typeof inner !== "object" || inner === null) return others;
  return { ...others, [name]: withoutPath(inner as RequestBody, rest) };
}
