import type { JobPage } from "@pergamon-dev/server/jobs/operator/show-job";

/** A part of the addresses of a site, with the pages below it. */
export interface Branch {
  /** What comes after the branch above, such as `docs/guide`. */
  readonly name: string;
  /** From the host on; unlike those of all others. */
  readonly path: string;
  /** Pages of exactly this address. Jobs may have several. */
  readonly pages: readonly JobPage[];
  readonly branches: readonly Branch[];
  /** Of the pages here and below. */
  readonly counts: Readonly<Record<JobPage["state"], number>>;
}

interface Growing {
  readonly pages: JobPage[];
  readonly branches: Map<string, Growing>;
}

/** What is deeper stands together in one name. */
const MAX_DEPTH = 24;
const UNKNOWN = "unknown address";

/** The pages of a job by host and folder, each in the order of their names. */
export function treeOf(pages: readonly JobPage[]): readonly Branch[] {
  const root: Growing = { pages: [], branches: new Map() };
  for (const page of pages) {
    let branch = root;
    for (const part of partsOf(page.url)) {
      const next: Growing = branch.branches.get(part) ?? { pages: [], branches: new Map() };
      branch.branches.set(part, next);
      branch = next;
    }
    branch.pages.push(page);
  }
  return branchesOf(root, "");
}

function partsOf(url: string | null): readonly string[] {
  if (url === null || !URL.canParse(url)) return [url ?? UNKNOWN];
  const { protocol, host, pathname, search } = new URL(url);
  const folders = pathname.split("/").slice(1);
  const file = `${folders.pop() ?? ""}${search}`;
  const top = protocol === "https:" ? host : `${protocol}//${host}`;
  const [shown, deeper] = [folders.slice(0, MAX_DEPTH), folders.slice(MAX_DEPTH)];
  return [top, ...shown, [...deeper, file].join("/") || "/"];
}

/** `page 2` comes before `page 10`. */
const names = new Intl.Collator("en", { numeric: true });

function branchesOf({ branches }: Growing, above: string): readonly Branch[] {
  return [...branches]
    .map(([name, growing]) => branchOf(name, growing, above))
    .toSorted((a, b) => names.compare(a.name, b.name));
}

function branchOf(name: string, growing: Growing, above: string): Branch {
  const path = `${above}/${name}`;
  const [[onlyName, only] = []] = growing.branches;
  // Folders with one thing in them are shown with it. Hosts stand alone.
  if (
    above !== "" &&
    onlyName !== undefined &&
    only &&
    growing.branches.size === 1 &&
    growing.pages.length === 0
  )
    return branchOf(onlyName === "/" ? `${name}/` : `${name}/${onlyName}`, only, above);
  const branches = branchesOf(growing, path);
  const counts = { done: 0, failed: 0, blocked: 0, running: 0, waiting: 0, cancelled: 0 };
  for (const { state } of growing.pages) counts[state] += 1;
  for (const branch of branches)
    for (const state of Object.keys(counts) as JobPage["state"][]) counts[state] += branch.counts[state];
  return { name, path, pages: growing.pages, branches, counts };
}
