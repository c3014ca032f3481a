import { z } from "zod";

/** Members that a record from outside may have, and the length of their names. */
const MAX_MEMBERS = 1000;
const MAX_NAME_LENGTH = 1000;

/** A record whose names the interface does not know: what JSON Schema calls `additionalProperties`. */
export function boundedRecord<Value extends z.ZodType>(
  value: Value,
  maxMembers = MAX_MEMBERS,
  name = z.string(),
) {
  return z
    .record(name.max(MAX_NAME_LENGTH), value)
    .refine(
      (record) => Object.keys(record).length <= maxMembers,
      `Too many fields: at most ${maxMembers} are allowed.`,
    )
    .meta({ maxProperties: maxMembers });
}
