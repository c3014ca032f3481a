import { join } from "node:path";
import { parseArgs } from "node:util";

import type { Comparison, Rule } from "./rule.ts";
import { printVerdicts } from "./verdicts.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quality: { type: "string", default: "../shared/quality" },
    scores: { type: "string", default: "" },
    tool: { type: "string", default: "" },
  },
});
const { quality, scores, tool } = values;
const [part = "", ...folders] = positionals;
const pages = join(quality, "extraction/data/dev");

interface Measured {
  readonly rules: readonly Rule[];
  readonly comparisons: readonly Comparison[];
}

/** One entry per kind of rules; only the one that is asked for is loaded. */
const PARTS: Readonly<Record<string, () => Promise<Measured>>> = {
  product: async () => {
    const { compareProduct } = await import("./product.ts");
    const { productRules } = await import("./product-rules.ts");
    return {
      rules: productRules,
      comparisons: await compareProduct(join(quality, "product/data"), pages, scores),
    };
  },
  content: async () => {
    const { compareContent } = await import("./content.ts");
    const { contentRules } = await import("./content-rules.ts");
    return { rules: contentRules, comparisons: await compareContent(pages, tool, scores) };
  },
  menu: async () => {
    const { compareMenu } = await import("./menu.ts");
    const { menuRules } = await import("./menu-rules.ts");
    return { rules: menuRules, comparisons: await compareMenu([join(quality, "menu/pages"), ...folders]) };
  },
  "personal-data": async () => {
    const { comparePersonalData } = await import("./personal-data.ts");
    const { personalDataRules } = await import("./personal-data-rules.ts");
    return { rules: personalDataRules, comparisons: await comparePersonalData(join(quality, "pii/data")) };
  },
};

const measure = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
if (!measure) {
  const usage = "[FOLDER…] [--quality FOLDER] [--scores FOLDER] [--tool FOLDER]";
  throw new Error(`usage: main.ts ${Object.keys(PARTS).join("|")} ${usage}`);
}
const { rules, comparisons } = await measure();
printVerdicts(part, rules, comparisons);
