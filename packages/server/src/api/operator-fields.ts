import { z } from "zod";

/** What answers to the operator are made of. */
export const Success = z.literal(true);
export const Time = z.iso.datetime();
export const Count = z.int().min(0);
export const Id = z.string();
const Cursor = z.string().nullable().describe("Cursor of the next page; null on the last page.");

/** Of a thing that two operators may change at once: sent back as `If-Match`, it refuses to undo what came between. */
export const Version = z
  .string()
  .describe(
    "Version of the resource. Send it as `If-Match` with a change: if the resource has changed since, the answer is 412.",
  );

/** How many entries of a list are wanted, and from where on. */
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
