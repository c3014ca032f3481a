import { join } from "node:path";
import { parseArgs } from "node:util";

import { labData } from "../../sets.ts";
import type { Comparison, Rule } from "./rule.ts";
import { printVerdicts } from "./verdicts.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quality: { type: "string", default: labData() },
    scores: { type: "string", default: "" },
    tool: { type: "string", default: "" },
    every: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const { quality, scores, tool, every, only } = values;
const [part = ""] = positionals;
const pages = join(quality, "extraction/data/dev");

interface Part {
  readonly rules: readonly Rule[];
  compare(rules: readonly Rule[]): Promise<readonly Comparison[]>;
}

/** One entry per kind of rules; only the one that is asked for is loaded. */
const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  product: async () => {
    const { compareProduct } = await import("./product.ts");
    const { productRules } = await import("./product-rules.ts");
    const products = join(quality, "product/data");
    return { rules: productRules, compare: (rules) => compareProduct(rules, products, pages, scores) };
  },
  content: async () => {
    const { compareContent } = await import("./content.ts");
    const { contentRules } = await import("./content-rules.ts");
    const sample = { every: Number(every), scores, tool };
    return { rules: contentRules, compare: (rules) => compareContent(rules, pages, sample) };
  },
  "personal-data": async () => {
    const { comparePersonalData } = await import("./personal-data.ts");
    const { personalDataRules } = await import("./personal-data-rules.ts");
    return {
      rules: personalDataRules,
      compare: (rules) => comparePersonalData(rules, join(quality, "pii/data")),
    };
  },
};

const open = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
if (!open) {
  const usage =
    "[--quality FOLDER] [--scores FOLDER] [--tool FOLDER] [--every N] [--only RULE,RULE]";
  throw new Error(`usage: main.ts ${Object.keys(PARTS).join("|")} ${usage}`);
}
const { rules, compare } = await open();
const asked = rules.filter(({ name }) => only === undefined || only.split(",").includes(name));
printVerdicts(part, asked, await compare(asked));
