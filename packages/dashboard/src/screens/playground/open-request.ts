import type { ScrapedDocument } from "../../answers/document.ts";
import { ask } from "../../client/ask.ts";
import { type RequestBody, withoutPath } from "../../client/post.ts";
import { formatsOf, type Outcome } from "./run.ts";

/** A request of the log, to be run again or changed. */
interface OpenedRequest {
  readonly body: RequestBody;
  /** Paths of secrets that the log does not have: they are left out of the body. */
  readonly masked: readonly string[];
  /** What came of it, as long as that is stored. */
  readonly outcome: Outcome | undefined;
}

/** Fetches a request of the log. @throws Error if its body is not stored, or it is not a scrape. */
export async function openRequest(id: string, signal: AbortSignal): Promise<OpenedRequest> {
  const { data } = await ask("GET /admin/api/requests/{id}", { params: { id }, signal });
  const { body, masked, hasAnswer, request } = data;
  if (!isBody(body) || request.kind !== "scrape" || typeof body["url"] !== "string")
    throw new Error("This request cannot be opened here: its body is not stored, or it is not a scrape.");
  const clean = masked.reduce<RequestBody>((rest, path) => withoutPath(rest, path.split(".")), body);
  const outcome = hasAnswer
    ? {
        document: await answerOf(id, signal),
        problem: undefined,
        durationMs: request.durationMs,
        url: request.url,
        formats: formatsOf(body),
      }
    : undefined;
  return { body: clean, masked, outcome: outcome?.document ? outcome : undefined };
}

async function answerOf(id: string, signal: AbortSignal): Promise<ScrapedDocument | undefined> {
  const response = await fetch(`/admin/api/requests/${encodeURIComponent(id)}/answer`, { signal });
  if (!response.ok) return undefined;
  const { data } = (await response.json()) as { readonly data: ScrapedDocument };
  return data;
}

function isBody(value: unknown): value is RequestBody {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
