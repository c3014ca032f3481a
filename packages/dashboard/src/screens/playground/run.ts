import { ServiceProblem } from "../../client/ask.ts";
import { answerOf, authorizationOf, post, type RequestBody } from "../../client/post.ts";
import type { ScrapedDocument } from "../../answers/document.ts";

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
