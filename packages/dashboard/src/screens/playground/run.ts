import { ask, ServiceProblem } from "../../client/ask.ts";
import { session } from "../../client/session.ts";
import type { ScrapedDocument } from "../../answers/document.ts";

export type RequestBody = Readonly<Record<string, unknown>>;

/** How a run ended, or why it did not. */
export interface Outcome {
  readonly document: ScrapedDocument | undefined;
  readonly problem: ServiceProblem | undefined;
  readonly durationMs: number;
  /** That was asked for. */
  readonly url: string;
  /** Names of the formats, in the order in which they were asked for. */
  readonly formats: readonly string[];
}

/** A key is used this much shorter than it holds: a run may take minutes. */
const MARGIN_MS = 6 * 60 * 1000;

/** Keys of this page by team, each for an hour. */
const keys = new Map<string, { readonly apiKey: string; readonly endsAtMs: number }>();

/** Runs a scrape in the name of a team. @throws the signal's reason when it is cancelled. */
export async function runScrape(body: RequestBody, teamId: string, signal: AbortSignal): Promise<Outcome> {
  const startedAt = performance.now();
  const answer = await post("/v2/scrape", body, teamId, signal);
  const durationMs = performance.now() - startedAt;
  return outcomeOf(answer, { durationMs, url: String(body["url"]), formats: formatsOf(body) });
}

/** Reads a file in the name of a team. @throws the signal's reason when it is cancelled. */
export async function runParse(
  file: File,
  options: RequestBody,
  teamId: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const startedAt = performance.now();
  const form = new FormData();
  form.set("options", JSON.stringify({ ...options, origin: "dashboard" }));
  form.set("file", file, file.name);
  const headers = await authorizationOf(teamId);
  const answer = await answerOf(await fetch("/v2/parse", { method: "POST", headers, body: form, signal }));
  const durationMs = performance.now() - startedAt;
  return outcomeOf(answer, { durationMs, url: file.name, formats: formatsOf(options) });
}

function outcomeOf(
  answer: Readonly<Record<string, unknown>> | ServiceProblem,
  run: Pick<Outcome, "durationMs" | "url" | "formats">,
): Outcome {
  if (answer instanceof ServiceProblem) return { ...run, document: undefined, problem: answer };
  return { ...run, document: answer["data"] as ScrapedDocument, problem: undefined };
}

/** Names of the formats that a request asks for. */
export function formatsOf({ formats }: RequestBody): readonly string[] {
  if (!Array.isArray(formats)) return [];
  return formats.map((format: unknown) =>
    typeof format === "object" && format !== null && "type" in format ? String(format.type) : String(format),
  );
}

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

async function answerOf(response: Response): Promise<Readonly<Record<string, unknown>> | ServiceProblem> {
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  const isGood = response.ok && answer["success"] === true;
  return isGood ? answer : new ServiceProblem(response.status, answer);
}

/** Where everybody may scrape, nothing is needed. */
async function authorizationOf(teamId: string): Promise<{ readonly authorization?: string }> {
  if (session.value?.auth === "open") return {};
  const known = keys.get(teamId);
  if (known && known.endsAtMs - MARGIN_MS > Date.now()) return { authorization: `Bearer ${known.apiKey}` };
  const made = await ask("POST /admin/api/playground-key", { body: { teamId } });
  keys.set(teamId, { apiKey: made.apiKey, endsAtMs: Date.parse(made.expiresAt) });
  return { authorization: `Bearer ${made.apiKey}` };
}
