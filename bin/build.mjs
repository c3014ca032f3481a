import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

import { COMPILED, ROOT } from "./compiled.mjs";
import { explain, SetupError, step } from "./progress.mjs";

/** Name in dist/ → source. An entry point that does not exist yet is left out. */
const ENTRY_POINTS = {
  main: "packages/server/src/main.ts",
  cli: "packages/server/src/cli/main.ts",
  "page-worker": "packages/server/src/scrape/page/worker-main.ts",
  "document-process": "packages/documents/src/process.ts",
  "interpreter-worker": "packages/server/src/interact/scripting/interpreter-worker.ts",
  "yaml-worker": "packages/server/src/tools/openapi/yaml-worker.ts",
  "foreign-worker": "packages/kit/src/foreign/worker.ts",
  "backup-worker": "packages/server/src/operator/data/backup-worker.ts",
  "page-index-worker": "packages/server/src/history/page-index/worker.ts",
};

/** Programs that run in boxes, where nothing else of ours is: each is one file. */
const BOX_PROGRAMS = {
  "box-probes": "packages/server/src/sandbox/probe-program.ts",
  "box-runner": "packages/server/src/interact/box/runner.ts",
};

/** Packages that carry binaries, workers or files of their own and stay in node_modules. */
const EXTERNAL = [
  "@embedpdf/pdfium",
  "@firecrawl/anydoc",
  "@jitl/quickjs-wasmfile-release-sync",
  "sharp",
  "tesseract.js",
  "wreq-js",
  "@photostructure/sqlite",
  "piscina",
  "esbuild",
  "pino-pretty",
  // Compilers of JSON Schemas, of which routes have none.
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "playwright-core",
  // Loaded by the first crawl, and the first pattern.
  "tldts",
  "re2js",
];

/** Folders of pages whose files change their names. */
const ASSETS = ["web/assets", "docs/assets"];

/** Everything a build depends on. */
const SOURCES = ["packages", "bin", "package.json", "package-lock.json"];

/** Folders inside packages that are no sources. */
const BUILT_OR_INSTALLED = new Set(["dist", "node_modules"]);

/** What CommonJS packages expect to find, given to the ES modules they are bundled into. */
const COMMONJS_NAMES = [
  'import { createRequire as __createRequire } from "node:module";',
  'import { fileURLToPath as __fileURLToPath } from "node:url";',
  "const require = __createRequire(import.meta.url);",
  "const __filename = __fileURLToPath(import.meta.url);",
  // A module of the bundle may have a constant with that name.
  'const __dirname = __fileURLToPath(new globalThis.URL(".", import.meta.url));',
].join("\n");

/** Builds dist/ unless it was built from the sources as they are now. Deciding costs a few milliseconds. */
export async function buildWhenChanged(root = ROOT) {
  if (readStamp(root).fingerprint !== fingerprintOf(root)) await step("Building", () => build(root));
}

/** @param {boolean} isClean whether nothing of earlier builds is left, as in a package */
async function build(root, isClean = false) {
  // Taken first: a source that changes during the build is built again next time.
  const fingerprint = fingerprintOf(root);
  const previous = isClean ? [] : (readStamp(root).files ?? []);
  try {
    const outputs = await bundleOnce(root);
    writeOutputs(join(root, "dist"), outputs);
    const files = outputs.map((output) => relative(join(root, "dist"), output.path));
    removeOutdated(join(root, "dist"), new Set([...files, ...previous]));
    writeAtomically(stampPath(root), JSON.stringify({ fingerprint, files }));
  } catch (cause) {
    throw buildError(cause);
  }
}

async function bundleOnce(root) {
  const esbuild = await import("esbuild");
  try {
    return await bundle(esbuild, root);
  } finally {
    await esbuild.stop();
  }
}

/**
 * Everything that belongs into dist/.
 *
 * @param {{ build: import("esbuild").build }} esbuild
 * @param {string} root
 * @param {{ isQuick?: boolean }} [how] quick: pages of the dashboard are not made small, and chunks not merged
 */
export async function bundle(esbuild, root, { isQuick = false } = {}) {
  // Most starts build nothing.
  const { bundleWeb } = await import("./build-web.mjs");
  const [program, pages] = await Promise.all([
    bundleProgram(esbuild, root, isQuick),
    bundleWeb(esbuild, root, { isSmall: !isQuick }),
  ]);
  return [...program, ...pages];
}

async function bundleProgram(esbuild, root, isQuick) {
  const options = {
    ...optionsOf(root, ENTRY_POINTS),
    // Chunks lie beside the entry points, so that `new URL("./x", import.meta.url)` means the same everywhere.
    chunkNames: "chunk-[name]-[hash]",
    splitting: true,
    sourcemap: "linked",
    metafile: true,
    // Less source to keep and to compile. Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    banner: { js: COMMONJS_NAMES },
  };
  const { buildMerged } = await import("./merge-chunks.mjs");
  const service = isQuick ? (await esbuild.build(options)).outputFiles : await buildMerged(esbuild, options);
  const inBoxes = await esbuild.build(optionsOf(root, BOX_PROGRAMS));
  return [...service.map(withoutWideCharacters), ...inBoxes.outputFiles];
}

/**
 * V8 holds the text of a program in two bytes per character if a single one needs them, for as long as the program runs:
 * 7 MB more. esbuild escapes such characters in strings, and leaves those of patterns.
 */
function withoutWideCharacters({ path, text, contents }) {
  if (!path.endsWith(".js")) return { path, contents };
  const escaped = text.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return { path, contents: Buffer.from(escaped) };
}

/** Messages of Zod in 50 languages, 300 KB: English is loaded apart from these. */
const withoutLanguages = {
  name: "without-languages",
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export {};",
    }));
  },
};

/** `import()` of our sources, not of their types. */
const LAZY_IMPORT = /(?<!typeof )\bimport\(("[^"]+")\)(?!\.)/g;
const LOAD_CODE = "packages/kit/src/process/load-code.ts";

/** Puts `loadCode` around each `import()`, so that one that fails can be tried again. */
const withRetriedImports = {
  name: "with-retried-imports",
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text.replaceAll(
        LAZY_IMPORT,
        (whole, target) => `loadCode(() => ${whole}, ${JSON.stringify(`${relative(ROOT, path)} ${target}`)})`,
      );
      return contents === text ? undefined : { contents, loader: "ts" };
    });
  },
};

/**
 * An import of built-in modules reads each of their names, and so loads the `fetch` and the certificates that Node brings along:
 * a thirtieth of a start. `require` reads only what is used.
 */
const withRequired = {
  name: "with-required",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^(?:node:)?(?:https?|http2|tls|crypto)$/ }, ({ path, namespace }) =>
      namespace === "built-in" ? { path, external: true } : { path, namespace: "built-in" },
    );
    esbuild.onLoad({ filter: /./, namespace: "built-in" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

function optionsOf(root, programs) {
  const entries = Object.entries(programs).filter(([, source]) => statOf(join(root, source)));
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries),
    outdir: "dist",
    platform: "node",
    format: "esm",
    target: "node20",
    bundle: true,
    conditions: ["pergamon-source"],
    external: EXTERNAL,
    plugins: [withoutLanguages, withRetriedImports, withRequired],
    inject: [join(root, LOAD_CODE)],
    logLevel: "silent",
    write: false,
  };
}

export function writeOutputs(folder, outputs) {
  for (const assets of ASSETS) mkdirSync(join(folder, assets), { recursive: true });
  for (const output of outputs) writeAtomically(output.path, output.contents);
}

function writeAtomically(path, contents) {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** Chunks of the previous build are kept: a server that still runs from them, or an open page, may load one late. */
function removeOutdated(folder, kept) {
  const programs = readdirSync(folder).filter((name) => /\.js(\.map)?$/.test(name));
  const pages = ASSETS.flatMap((assets) =>
    readdirSync(join(folder, assets)).map((name) => join(assets, name)),
  );
  for (const name of [...programs, ...pages]) {
    if (!kept.has(name)) rmSync(join(folder, name), { force: true });
  }
  // A program that still runs may be writing there.
  rmSync(join(folder, COMPILED), { recursive: true, force: true, maxRetries: 5 });
}

function buildError(cause) {
  const text = String(cause?.message ?? cause);
  const isUnwritable = /EACCES|EPERM|EROFS|ENOSPC/.test(text);
  const remedy = isUnwritable
    ? "dist/ cannot be written: check the owner of this folder and the free space, then run the command again."
    : "Correct the errors above; after a broken update, delete node_modules and run the command again.";
  return new SetupError("The program could not be built.", { remedy, output: text, cause });
}

/** Where is told from what dist/ was built. */
export function stampPath(root) {
  return join(root, "dist", "build.json");
}

function readStamp(root) {
  try {
    return JSON.parse(readFileSync(stampPath(root), "utf8"));
  } catch {
    return {};
  }
}

/** Hash over path, size and time of change of every source: notices removed and older files too. */
function fingerprintOf(root) {
  const hash = createHash("sha256");
  for (const source of SOURCES) addToFingerprint(hash, root, source);
  return hash.digest("hex");
}

function addToFingerprint(hash, root, path) {
  const stat = statOf(join(root, path));
  if (!stat) return;
  if (!stat.isDirectory()) return void hash.update(`${path}\n${stat.size}\n${stat.mtimeMs}\n`);
  const names = readdirSync(join(root, path)).sort();
  for (const name of names)
    if (!BUILT_OR_INSTALLED.has(name) && !name.endsWith(".test.ts"))
      addToFingerprint(hash, root, `${path}/${name}`);
}

function statOf(path) {
  return statSync(path, { throwIfNoEntry: false });
}

const isMainModule = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href;
if (isMainModule) {
  try {
    await step("Building", () => build(ROOT, process.argv.includes("--clean")));
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}
