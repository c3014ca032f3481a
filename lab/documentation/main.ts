import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { checkPage, KINDS, type Kind, type Lost } from "./check-page.ts";

/** Packages of Debian whose documentation is made by as many generators. */
const PACKAGES = `git-doc sqlite3-doc debian-reference-en libglib2.0-doc octave-doc bind9-doc doxygen-doc mkdocs-doc
  python3.11-doc postgresql-doc-15 nodejs-doc cmake-doc autoconf-doc r-doc-html apache2-doc zsh-doc swi-prolog-doc
  libgtk-3-doc tcl8.6-doc python-django-doc libghc-aeson-doc gnuplot-doc libboost1.74-doc fish-common groovy-doc
  bash-doc cppreference-doc-en-html debian-policy developers-reference libcurl4-doc libxml2-doc sphinx-doc
  libeigen3-doc nim-doc crystal-doc scala-doc erlang-doc rust-doc openjdk-17-doc ghc-doc maxima-doc`
  .trim()
  .split(/\s+/);

/** Share of parts that may be missing. */
const LIMITS: Readonly<Record<Kind, number>> = { heading: 0.002, code: 0.001, table: 0.005, paragraph: 0.01 };

const { values } = parseArgs({
  options: {
    packages: { type: "string", default: PACKAGES.join(",") },
    pages: { type: "string", default: "40" },
    folder: { type: "string", default: join(tmpdir(), "pergamon-documentation") },
    verbose: { type: "boolean", default: false },
  },
});

interface Tally {
  pages: number;
  readonly all: Record<Kind, number>;
  readonly lost: Record<Kind, number>;
}

const tally = (): Tally => ({
  pages: 0,
  all: { heading: 0, code: 0, table: 0, paragraph: 0 },
  lost: { heading: 0, code: 0, table: 0, paragraph: 0 },
});

/**
 * `npm run lab -- documentation [--packages a,b] [--pages 40] [--folder F] [--verbose]`: unpacks documentation of Debian
 * into a folder, and compares by program: every heading, block of code, table and paragraph of a page's main part has to
 * stand in its Markdown. Prints what is missing by package, and fails where more is missing than the limits allow.
 */
const all = tally();
for (const name of values.packages.split(",")) {
  const files = unpack(name);
  if (files.length === 0) {
    process.stdout.write(`${name.padEnd(26)} not available\n`);
    continue;
  }
  const one = tally();
  for (const file of sample(files, Number(values.pages))) read(file, one);
  print(name, one);
  add(all, one);
}
print("all", all);
const missed = KINDS.filter((kind) => all.lost[kind] > LIMITS[kind] * all.all[kind]);
for (const kind of missed) process.stdout.write(`missed: ${kind}, at most ${String(100 * LIMITS[kind])} %\n`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** The HTML files of a package, which is fetched and unpacked once. */
function unpack(name: string): readonly string[] {
  const folder = join(values.folder, name);
  if (!existsSync(folder)) {
    mkdirSync(values.folder, { recursive: true });
    try {
      const packed = (): string | undefined =>
        readdirSync(values.folder).find((file) => file.startsWith(`${name}_`) && file.endsWith(".deb"));
      if (packed() === undefined) execFileSync("apt-get", ["download", "-qq", name], { cwd: values.folder });
      mkdirSync(folder);
      execFileSync("dpkg-deb", ["-x", join(values.folder, packed() ?? ""), folder]);
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

function read(file: string, into: Tally): void {
  const { all: parts, lost } = checkPage(readFileSync(file), file.slice(values.folder.length));
  into.pages++;
  for (const kind of KINDS) into.all[kind] += parts[kind];
  for (const one of lost) {
    into.lost[one.kind]++;
    if (values.verbose) tell(file, one);
  }
}

function tell(file: string, { kind, text }: Lost): void {
  process.stdout.write(`  ${kind} ${file.slice(values.folder.length)}: ${text.slice(0, 100)}\n`);
}

function add(into: Tally, one: Tally): void {
  into.pages += one.pages;
  for (const kind of KINDS) {
    into.all[kind] += one.all[kind];
    into.lost[kind] += one.lost[kind];
  }
}

function print(name: string, { pages, all: parts, lost }: Tally): void {
  const cells = KINDS.map((kind) => {
    const share = parts[kind] === 0 ? 0 : (100 * lost[kind]) / parts[kind];
    return `${kind} ${lost[kind]}/${parts[kind]} ${share.toFixed(2)} %`.padEnd(26);
  });
  process.stdout.write(`${name.padEnd(26)} ${String(pages).padStart(4)} pages  ${cells.join("")}\n`);
}
