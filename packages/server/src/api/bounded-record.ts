import { z } from "zod";

/** Maximum number of members of an external record, and maximum length of their names. */
const MAX_MEMBERS = 1000;
const MAX_NAME_LENGTH = 1000;

/** A record with arbitrary names, JSON Schema's `additionalProperties`. */
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
