import type { WebhookSetting } from "../run-rows.ts";
import type { EventRow } from "./webhook-events.ts";

/**
 * What a receiver gets of an event, the same bytes for each attempt (contract of the families, section 6.2).
 * @returns undefined when its document is not kept any more.
 */
export async function bodyOf(
  event: EventRow,
  { metadata }: WebhookSetting,
  documentOf: (scrapeId: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { id, runId, type, isSuccess, error } = event;
  const data = await dataOf(event, documentOf);
  if (data === undefined) return undefined;
  const head = JSON.stringify({ success: isSuccess === 1, type, id: runId, webhookId: id });
  const tail = JSON.stringify({ metadata, ...(error !== null && { error }) });
  // The document is JSON already, and may be large.
  return `${head.slice(0, -1)},"data":${data},${tail.slice(1)}`;
}

async function dataOf(
  { scrapeId, body, pageUrl, error }: EventRow,
  documentOf: (scrapeId: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (scrapeId !== null) {
    const document = body ?? (await documentOf(scrapeId));
    return document === undefined ? undefined : `[${document}]`;
  }
  // What else a run tells, or what it brought as a whole.
  if (body !== null) return `[${body}]`;
  if (pageUrl === null) return "[]";
  return JSON.stringify([{ metadata: { sourceURL: pageUrl, error } }]);
}
