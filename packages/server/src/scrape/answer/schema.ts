import { lazy } from "@pergamon-dev/kit/lazy";
import type { z } from "zod";

import { type AnswerFields, fileAnswer, scrapeAnswer } from "../../api/answer.ts";
import type { Immutable } from "../../api/immutable.ts";
import * as builtFormats from "../formats/all.ts";
import type { FormatTable } from "../formats/format.ts";

/** Schema of the response of `POST /v2/scrape`, with the fields of these formats. */
export function scrapeAnswerSchema<Table extends FormatTable>(formats: Table) {
  return scrapeAnswer(fieldsOf(formats));
}

export const ScrapeAnswer = scrapeAnswerSchema(builtFormats);

/** Response of `POST /v2/parse`. */
export const FileAnswer = lazy(() => fileAnswer(fieldsOf(builtFormats)));

/** `data` of a scrape: the requested fields that could be made (contract, section 2.2). */
export type ScrapeData = Immutable<z.output<typeof ScrapeAnswer>["data"]>;

/** The fields of `data` that belong to the formats. */
function fieldsOf<Table extends FormatTable>(formats: Table): FieldsOf<Table> {
  return Object.assign({}, ...Object.values(formats).map(({ answer }) => answer)) as FieldsOf<Table>;
}

type FieldsOf<Table extends FormatTable> = Merged<Table[keyof Table]["answer"]>;

/** Merges all members of a union of shapes into one shape. */
type Merged<Shape> = (Shape extends unknown ? (shape: Shape) => void : never) extends (
  all: infer All extends AnswerFields,
) => void
  ? All
  : never;
