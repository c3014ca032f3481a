import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { findSet } from "../sets.ts";
import { articlePage } from "./page.ts";

/** One labelled page in so many is part of the sample. */
const STEP = 10;

/** Pages by path. */
export type SamplePages = Readonly<Record<string, string>>;

/**
 * A sample of the labelled pages of `LAB_DATA`; undefined where there are none.
 */
export function labelledSample(): SamplePages | undefined {
  const folder = join(findSet("extraction") ?? "", "data/dev");
  if (!existsSync(join(folder, "index.json"))) return undefined;
  const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as readonly { id: string }[];
  const chosen = index.filter((_, order) => order % STEP === 0);
  return Object.fromEntries(
    chosen.map(({ id }) => [
      `/${id}`,
      gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`))).toString(),
    ]),
  );
}

/** So many of the labelled pages, spread evenly over the set; undefined where there are none. */
export function spreadSample(count: number): SamplePages | undefined {
  const folder = join(findSet("extraction") ?? "", "data/dev/html");
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith(".html.gz"));
  const step = Math.max(1, Math.floor(names.length / count));
  const chosen = names.sort().filter((_, order) => order % step === 0);
  return Object.fromEntries(
    chosen
      .slice(0, count)
      .map((name) => [
        `/${name.replace(".html.gz", "")}`,
        gunzipSync(readFileSync(join(folder, name))).toString(),
      ]),
  );
}

/** Pages made for the purpose, where there are no others. */
export function madeSample(): SamplePages {
  const sizes = [2_000, 20_000, 50_000, 100_000, 250_000, 500_000];
  return Object.fromEntries(sizes.map((size) => [`/${size}`, articlePage(size)]));
}
