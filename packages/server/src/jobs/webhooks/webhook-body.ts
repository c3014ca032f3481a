import { encodeList } from "@pergamon-dev/kit/encode-members";
import type { WebhookSetting } from "../run-rows.ts";
import type { EventRow } from "./webhook-events.ts";

/** JSON of a stored document in UTF-8; undefined when it is not kept any more. */
type DocumentOf = (scrapeId: string) => Promise<Uint8Array | undefined>;

const PIECE_BYTES = 1024 * 1024;

/**
 * What a receiver gets of an event, the same bytes for each attempt (contract of the families, section 6.2), in pieces.
 * @returns undefined when its document is not kept any more.
 */
export async function bodyOf(
  event: EventRow,
  { metadata }: WebhookSetting,
  documentOf: DocumentOf,
): Promise<readonly Uint8Array[] | undefined> {
  const { id, runId, type, isSuccess, error } = event;
  const data = await dataOf(event, documentOf);
  if (data === undefined) return undefined;
  const head = JSON.stringify({ success: isSuccess === 1, type, id: runId, webhookId: id });
  const tail = JSON.stringify({ metadata, ...(error !== null && { error }) });
  // The document is JSON already.
  return [Buffer.from(`${head.slice(0, -1)},"data":[`), ...data, Buffer.from(`],${tail.slice(1)}`)];
}

async function dataOf(
  { scrapeId, body, pageUrl, error }: EventRow,
  documentOf: DocumentOf,
): Promise<readonly Uint8Array[] | undefined> {
  if (body !== null) return encodeList([body]);
  if (scrapeId !== null) {
    const document = await documentOf(scrapeId);
    return document && piecesOf(document);
  }
  if (pageUrl === null) return [];
  return [Buffer.from(JSON.stringify({ metadata: { sourceURL: pageUrl, error } }))];
}

/** Each is hashed and sent in a turn of its own. */
function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / PIECE_BYTES) }, (_, index) =>
    bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
}
