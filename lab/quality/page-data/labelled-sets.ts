import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { MissingSet, type SetName } from "../../sets.ts";

export type Figures = readonly (readonly [name: string, value: number])[];

interface LabelledSet {
  readonly options?: readonly string[];
  /** What the tool printed → figures by their names in the table. */
  read(printed: string): Figures;
}

const PRODUCT_FIELDS = ["price", "sku", "brand", "availability", "out of stock", "title", "currency"];
const PERSONAL_TYPES = ["PERSON", "LOCATION", "PHONE", "EMAIL", "FINANCIAL", "SECRET"];

/** Sets with a scoring tool of their own, by the name of their folder. */
export const LABELLED_SETS: Readonly<Record<string, LabelledSet>> = {
  product: {
    read: (printed) => [
      ...PRODUCT_FIELDS.map((field) => figure(`product: ${field} F1`, printed, `^${field} +F1 ([\\d.]+)`)),
      figure("product: invented on other pages, %", printed, "^invented products .*\\(([\\d.]+) %"),
    ],
  },
  menu: {
    read: (printed) => [
      figure(
        "menu: items with price in their section F1",
        printed,
        "^items with price in their section +F1 ([\\d.]+)",
      ),
      figure("menu: invented", printed, "invented (\\d+)/"),
    ],
  },
  json: {
    read: (printed) => [
      figure("json: macro F1", printed, "^macro over \\d+ fields ([\\d.]+)"),
      ["json: wrong values, %", shareOfWrongValues(printed)],
    ],
  },
  branding: { read: (printed) => [figure("branding: all tokens", printed, "^all tokens ([\\d.]+)")] },
  pii: { options: ["--mode", "accurate"], read: readPersonalData },
};

/** Of the values that were answered, those that are wrong; from what is printed of each field. */
function shareOfWrongValues(printed: string): number {
  let [right, wrong] = [0, 0];
  for (const [, precision, recall, count] of printed.matchAll(/ P ([\d.]+) +R ([\d.]+) +n (\d+)$/gm)) {
    const found = Math.round(Number(recall) * Number(count));
    right += found;
    wrong += Number(precision) > 0 ? Math.round(found / Number(precision)) - found : 0;
  }
  return right === 0 ? Number.NaN : (100 * wrong) / (right + wrong);
}

function readPersonalData(printed: string): Figures {
  return printed.split(/^(?=\w+: \d+ texts)/m).flatMap((part) => {
    const name = /^(\w+): \d+ texts/.exec(part)?.[1];
    if (name === undefined) return [];
    const languages = /^ +PERSON (\w\w [\d.].*)$/m.exec(part)?.[1]?.match(/\d?\.\d+/g) ?? [];
    return [
      figure(`${name}: leaked, %`, part, "leaked ([\\d.]+) %"),
      figure(`${name}: over-redacted, %`, part, "over-redacted ([\\d.]+) %"),
      ...PERSONAL_TYPES.map((type) => figure(`${name}: ${type} F1`, part, `^ +${type} +([\\d.]+) \\(`)),
      [`${name}: PERSON F1, lowest language`, Math.min(...languages.map(Number))] as const,
    ];
  });
}

/** NaN where the tool did not print it. */
function figure(name: string, printed: string, pattern: string): readonly [string, number] {
  return [name, Number(new RegExp(pattern, "m").exec(printed)?.[1] ?? Number.NaN)];
}

/**
 * Scores the running service on a labelled set, with the tool that lies beside it.
 * @param tools folder of the sets and their tools
 * @param data folder of other sets of the same names; undefined: those that lie with the tools
 */
export async function scoreSet(
  name: string,
  { scrape, tools, data }: { scrape: string; tools: string; data: string | undefined },
): Promise<Figures> {
  const { options = [], read } = LABELLED_SETS[name] as LabelledSet;
  const tool = join(tools, name, "score.mjs");
  const set = data === undefined ? [] : ["--set", join(data, name)];
  if (!existsSync(tool)) throw new MissingSet(name as SetName);
  if (data !== undefined && !existsSync(join(data, name))) return [];
  const child = spawn(process.execPath, [tool, "--scrape", scrape, ...options, ...set], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = await text(child.stdout);
  return read(printed);
}
