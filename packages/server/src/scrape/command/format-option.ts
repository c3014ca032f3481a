import { InvalidArgumentError, Option } from "commander";

import type { FormatTable } from "../formats/format.ts";
import { bareFormats } from "../request/formats.ts";

/** How formats with options are asked for. */
const OTHERS = "Others have options: --question, --highlights, --prompt, --schema, or a file by --request.";

/** Chooses among the formats that need no options. Between commas, or given several times. */
export function formatOption(formats: FormatTable): Option {
  const names = [...bareFormats(formats).keys()];
  const option = new Option("-f, --format <names>", "Comma-separated formats.").choices(names);
  option.argParser((text: string, earlier: unknown) => {
    const wanted = text.split(",").map((name) => name.trim());
    if (wanted.every((name) => names.includes(name))) return [...namesIn(earlier), ...wanted];
    throw new InvalidArgumentError(`Allowed choices are ${names.join(", ")}. ${OTHERS}`);
  });
  return option;
}

/** What was given before, if anything was. */
function namesIn(earlier: unknown): readonly string[] {
  return Array.isArray(earlier) ? earlier.map(String) : [];
}
