import { z } from "zod";

/** Shared fields of responses to the operator. */
export const Success = z.literal(true);
export const Time = z.iso.datetime();
export const Count = z.int().min(0);
export const Id = z.string();
const Cursor = z.string().nullable().describe("Cursor of the next page; null on the last page.");

/**
 * Version of an object that two operators may change at once. Sent back as `If-Match`, it keeps one change
 * from undoing the other.
 */
export const Version = z
  .string()
  .describe(
    "Version of the resource. Send it as `If-Match` with a change: if the resource has changed since, the answer is 412.",
  );

/** Query fields for the number of entries and the start of a list. */
export const limitOf = (usual: number, most: number) =>
  z.coerce.number().int().min(1).max(most).default(usual);
export const CursorQuery = z.string().max(200).optional();
export const TeamQuery = z.string().max(100).optional();

export function answerOf<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ success: Success, data });
}

export function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z.strictObject({ success: Success, data: z.array(entry), cursor: Cursor });
}
