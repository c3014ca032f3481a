import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Parts that the sites are divided into for cross-validation. */
export const FOLDS = 5;

/** One labelled page. */
export interface LabelledPage {
  readonly id: string;
  readonly url: string;
  readonly site: string;
  readonly type: string;
  /** Which part of the cross-validation the page's site belongs to. */
  readonly fold: number;
  /** False for pages whose licence allows measuring only. */
  readonly isTrained: boolean;
  /** The reviewed main content; "" when only snippets are known. */
  readonly text: string;
  /** Text that costs nothing, kept or not. */
  readonly optional: string;
  readonly with: readonly string[];
  readonly without: readonly string[];
  /** What the scoring tool compares with. */
  readonly truths: { readonly old: unknown; readonly revised: unknown };
  html(): string;
}

interface Truth {
  readonly url: string;
  readonly type: string;
  readonly text?: string;
  readonly optional?: string;
  readonly with: readonly string[];
  readonly without: readonly string[];
}

/** GPL fixtures: measured, never learned from. */
const MEASURED_ONLY = /^ann-gne-/;

/** Pages that were labelled again: those without a new label lack what a reader came for. */
const LABELLED_AGAIN = /^wcxb-/;
const TYPES_LABELLED_AGAIN = new Set(["product", "listing", "collection"]);

/** `old`: labels as they came; `revised`: those made again by one policy, where there are any. */
export type TruthName = "old" | "revised";

/** Reads the list of labelled pages; the pages themselves are read when asked for. */
export function readPages(folder: string, name: TruthName): readonly LabelledPage[] {
  const index = readJson(join(folder, "index.json")) as readonly { readonly id: string }[];
  return index.map(({ id }) => {
    const old = readJson(join(folder, "truth", `${id}.json`)) as Truth;
    const revised = readRevised(folder, id);
    const isRevised = name === "revised";
    const truth = isRevised ? (revised ?? old) : old;
    const isPartial = revised === undefined && LABELLED_AGAIN.test(id) && TYPES_LABELLED_AGAIN.has(old.type);
    const site = siteOf(truth.url);
    return {
      id,
      site,
      url: truth.url,
      type: truth.type,
      fold: Number.parseInt(createHash("sha1").update(site).digest("hex").slice(0, 6), 16) % FOLDS,
      isTrained: !MEASURED_ONLY.test(id) && !(isRevised && isPartial),
      text: truth.text ?? "",
      optional: truth.optional ?? "",
      with: truth.with,
      without: truth.without,
      truths: { old, revised },
      html: () => gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`))).toString("utf8"),
    };
  });
}

function readRevised(folder: string, id: string): Truth | undefined {
  const path = join(folder, "truth-revised", `${id}.json`);
  return existsSync(path) ? (readJson(path) as Truth) : undefined;
}

/** The registrable part of the host, roughly: the last two labels, three under short second-level ones. */
function siteOf(url: string): string {
  const { hostname } = new URL(url);
  const labels = hostname.split(".");
  const count = (labels.at(-2)?.length ?? 0) <= 3 && (labels.at(-1)?.length ?? 0) === 2 ? 3 : 2;
  return labels.slice(-count).join(".");
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
