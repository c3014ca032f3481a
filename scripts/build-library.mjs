import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Package → programs of its dist/ besides index.js, and packages that it loads by name rather than by an import. */
const LIBRARIES = {
  html: { programs: {}, loadsByName: [] },
  documents: {
    programs: { "document-process": "process" },
    loadsByName: ["@tesseract.js-data/eng"],
  },
};

/** Words of a module that name another one. */
const REFERENCES = /(?<=\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g;

/**
 * Builds dist/ of the library whose folder this is: our private packages are bundled in, those of others stay imports.
 * @throws Error when types need a private package, or the manifest lists other dependencies than dist/ imports
 */
async function buildLibrary(folder) {
  const { programs, loadsByName } = LIBRARIES[relative(join(ROOT, "packages"), folder)];
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  const entries = Object.entries({ index: "index", ...programs });
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: Object.fromEntries(entries.map(([name, source]) => [name, `src/${source}.ts`])),
    outdir: dist,
    platform: "node",
    format: "esm",
    target: "node20",
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[name]-[hash]",
    conditions: ["pergamon-source"],
    plugins: [ownPackagesOnly],
    metafile: true,
    logLevel: "warning",
  });
  writeTypes(folder, dist);
  for (const name of ["LICENSE", "NOTICE"]) copyFileSync(join(ROOT, name), join(folder, name));
  checkDependencies(folder, [...importedPackages(metafile), ...loadsByName]);
}

const ownPackagesOnly = {
  name: "own-packages-only",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || path.startsWith("@pergamon-dev/") ? undefined : { path, external: true },
    );
  },
};

/** Of the declarations of all sources those that the public ones name. */
function writeTypes(folder, dist) {
  const all = mkdtempSync(join(tmpdir(), "library-types-"));
  try {
    declareTypes(folder, all);
    const from = join(all, relative(join(ROOT, "packages"), folder), "src");
    for (const path of reachable(join(from, "index.d.ts"))) {
      const target = join(dist, relative(from, path));
      mkdirSync(dirname(target), { recursive: true });
      const text = readFileSync(path, "utf8");
      writeFileSync(
        target,
        text.replaceAll(REFERENCES, (name) => name.replace(/\.ts"$/, '.js"')),
      );
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

function declareTypes(folder, outDir) {
  const options = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--rootDir", "packages"];
  const {
    extends: _none,
    include: _all,
    ...base
  } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8"));
  const project = join(ROOT, "node_modules/.cache", `library-${process.pid}.json`);
  const files = [join(folder, "src/index.ts")];
  mkdirSync(dirname(project), { recursive: true });
  writeFileSync(project, JSON.stringify({ ...base, files }));
  try {
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const run = spawnSync(process.execPath, [tsc, "-p", project, ...options, "--outDir", outDir], {
      cwd: ROOT,
      encoding: "utf8",
    });
    if (run.status !== 0) throw new Error(`The types could not be written:\n${run.stdout}${run.stderr}`);
  } finally {
    rmSync(project, { force: true });
  }
}

/** This declaration and those it names. */
function reachable(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name] of readFileSync(path, "utf8").matchAll(REFERENCES)) {
    if (name.startsWith("@pergamon-dev/")) throw new Error(`${path} needs ${name}, which is not published.`);
    if (name.startsWith(".")) reachable(join(dirname(path), name.replace(/\.ts$/, ".d.ts")), found);
  }
  return found;
}

function importedPackages({ outputs }) {
  const names = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path),
  );
  return names
    .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
}

function checkDependencies(folder, needed) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const missing = needed.filter((name) => !(name in dependencies));
  const needless = Object.keys(dependencies).filter((name) => !needed.includes(name));
  if (missing.length + needless.length === 0) return;
  const list = (names) => [...new Set(names)].join(", ") || "none";
  throw new Error(
    `dependencies of ${folder}: missing ${list(missing)}; not imported by dist/ ${list(needless)}.`,
  );
}

await buildLibrary(process.cwd());
