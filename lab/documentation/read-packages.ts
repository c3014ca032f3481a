import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { checkPage, KINDS, type Kind, type Lost } from "./check-page.ts";

/** Packages of Debian whose documentation is made by as many generators. */
const PACKAGES = `git-doc sqlite3-doc debian-reference-en libglib2.0-doc octave-doc bind9-doc doxygen-doc mkdocs-doc
  python3.11-doc postgresql-doc-15 nodejs-doc cmake-doc autoconf-doc r-doc-html apache2-doc zsh-doc swi-prolog-doc
  libgtk-3-doc tcl8.6-doc python-django-doc libghc-aeson-doc gnuplot-doc libboost1.74-doc fish-common groovy-doc
  bash-doc cppreference-doc-en-html debian-policy developers-reference libcurl4-doc libxml2-doc sphinx-doc
  libeigen3-doc nim-doc crystal-doc scala-doc erlang-doc rust-doc openjdk-17-doc ghc-doc maxima-doc`
  .trim()
  .split(/\s+/);

/** Percent of parts that may be missing. */
export const MAX_LOST_PERCENT: Readonly<Record<Kind, number>> = { heading: 0.2, code: 0.1, table: 0.5, paragraph: 1 };

interface Tally {
  pages: number;
  readonly all: Record<Kind, number>;
  readonly lost: Record<Kind, number>;
}

export interface Packages {
  readonly packages?: readonly string[];
  /** Pages of each package, evenly spread. */
  readonly pages?: number;
  /** Where packages are unpacked, once. */
  readonly folder?: string;
  readonly onLost?: (file: string, lost: Lost) => void;
}

/** Documentation of each package, and what its Markdown lacks. Packages that are not to be had have no pages. */
export function* readPackages(options: Packages = {}): Iterable<readonly [name: string, tally: Tally]> {
  const { packages = PACKAGES, pages = 40, folder = join(tmpdir(), "pergamon-documentation"), onLost } = options;
  for (const name of packages) {
    const tally: Tally = { pages: 0, all: none(), lost: none() };
    for (const file of sample(unpack(name, folder), pages)) {
      const { all, lost } = checkPage(readFileSync(file), file.slice(folder.length));
      tally.pages++;
      for (const kind of KINDS) tally.all[kind] += all[kind];
      for (const one of lost) {
        tally.lost[one.kind]++;
        onLost?.(file.slice(folder.length), one);
      }
    }
    yield [name, tally];
  }
}

/** Of all packages together, what is lost by kind, by the names of its targets. Nothing where no package is to be had. */
export function shareOfLost(
  packages: Iterable<readonly [string, Tally]>,
): readonly (readonly [name: string, percent: number])[] {
  const sum: Tally = { pages: 0, all: none(), lost: none() };
  for (const [, one] of packages) addTally(sum, one);
  if (sum.pages === 0) return [];
  return KINDS.map((kind) => [`documentation: ${kind} lost, %`, percentLost(sum, kind)]);
}

export function percentLost({ all, lost }: Tally, kind: Kind): number {
  return all[kind] === 0 ? 0 : (100 * lost[kind]) / all[kind];
}

export function addTally(into: Tally, one: Tally): void {
  into.pages += one.pages;
  for (const kind of KINDS) {
    into.all[kind] += one.all[kind];
    into.lost[kind] += one.lost[kind];
  }
}

function none(): Record<Kind, number> {
  return { heading: 0, code: 0, table: 0, paragraph: 0 };
}

/** The HTML files of a package, which is fetched and unpacked once. */
function unpack(name: string, parent: string): readonly string[] {
  const folder = join(parent, name);
  if (!existsSync(folder)) {
    mkdirSync(parent, { recursive: true });
    try {
      const packed = (): string | undefined =>
        readdirSync(parent).find((file) => file.startsWith(`${name}_`) && file.endsWith(".deb"));
      if (packed() === undefined) execFileSync("apt-get", ["download", "-qq", name], { cwd: parent });
      mkdirSync(folder);
      execFileSync("dpkg-deb", ["-x", join(parent, packed() ?? ""), folder]);
    } catch {
      return [];
    }
  }
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.x?html?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sample(files: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, files.length / count);
  return Array.from({ length: Math.min(count, files.length) }, (_, at) => files[Math.floor(at * step)] ?? "");
}
