import { basename, join } from "node:path";
import { existsSync, readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

/** Where the pages of the dashboard are served: their files refer to each other by it. */
const BASE = "/dashboard/assets/";

const MODULES = [
  "packages/dashboard/src/main.tsx",
  "packages/dashboard/src/styles/all.css",
  "packages/dashboard/src/icon.svg",
];

/** The same for the reference, `/docs`. */
const REFERENCE_BASE = "/docs/assets/";
const REFERENCE_MODULES = [
  "packages/dashboard/src/reference/main.tsx",
  "packages/dashboard/src/reference/reference.css",
  "packages/dashboard/src/icon.svg",
];

/** Imported by every module, so that what it names becomes one file. */
const SHARED = "packages/dashboard/src/shared.ts";

/** What is compressed when it is built. Fonts are already. */
const COMPRESSED = /\.(?:js|css|svg|html)$/;

/** Compressed once, sent often. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Placeholder in packages/dashboard/src/reference/index.html → the module whose file takes its place. */
const REFERENCE_PLACEHOLDERS = {
  "{{early}}": "packages/dashboard/src/reference/early.ts",
  "{{script}}": "packages/dashboard/src/reference/main.tsx",
  "{{styles}}": "packages/dashboard/src/reference/reference.css",
  "{{icon}}": "packages/dashboard/src/icon.svg",
};

/** Placeholder in packages/dashboard/src/index.html → the module whose file takes its place. */
const PLACEHOLDERS = {
  "{{early}}": "packages/dashboard/src/early.ts",
  "{{script}}": "packages/dashboard/src/main.tsx",
  // One of those that SHARED names, which has nothing of its own.
  "{{shared}}": "packages/dashboard/src/parts/page.tsx",
  "{{styles}}": "packages/dashboard/src/styles/all.css",
  "{{icon}}": "packages/dashboard/src/icon.svg",
  "{{font}}": "geist-latin-wght-normal",
};

/**
 * The pages of the dashboard and the reference: `index.html`, and beside it `assets/` with files whose names change with
 * what is in them, so that a browser keeps them for ever. Everything that shrinks has a twin `.br`. None without the package of the dashboard.
 *
 * @param {{ build: import("esbuild").build }} esbuild
 * @param {string} root
 * @param {{ isSmall: boolean }} how whether they are minified and packed, which takes most of the time
 * @returns {Promise<{ path: string, contents: Uint8Array }[]>}
 */
export async function bundleWeb(esbuild, root, { isSmall }) {
  if (!existsSync(join(root, "packages/dashboard"))) return [];
  const [dashboard, reference] = await Promise.all([
    buildPages(esbuild, root, { ...DASHBOARD, isSmall }),
    buildPages(esbuild, root, { ...REFERENCE, isSmall }),
  ]);
  const index = indexPage(root, DASHBOARD, dashboard);
  const screens = JSON.stringify(filesOfScreens(dashboard.outputs)).replaceAll('"', "&quot;");
  const pages = [
    { ...index, contents: Buffer.from(index.html.replaceAll("{{screens}}", screens)) },
    indexPage(root, REFERENCE, reference),
  ];
  return [...dashboard.files, ...reference.files, ...pages].flatMap(({ path, contents }) => [
    { path, contents },
    ...(isSmall ? compressed({ path, contents }) : []),
  ]);
}

const DASHBOARD = {
  base: BASE,
  folder: "dist/web",
  page: "packages/dashboard/src/index.html",
  modules: MODULES,
  inject: [SHARED],
  // By itself, because it runs before anything is drawn.
  early: "packages/dashboard/src/early.ts",
  placeholders: PLACEHOLDERS,
};

const REFERENCE = {
  base: REFERENCE_BASE,
  folder: "dist/docs",
  page: "packages/dashboard/src/reference/index.html",
  modules: REFERENCE_MODULES,
  inject: [],
  early: "packages/dashboard/src/reference/early.ts",
  placeholders: REFERENCE_PLACEHOLDERS,
};

async function buildPages(esbuild, root, { base, folder, modules, inject, early, isSmall }) {
  const shared = {
    absWorkingDir: root,
    outdir: `${folder}/assets`,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: base,
    platform: "browser",
    // light-dark() of the colours: Chromium 123, Firefox 120, Safari 17.5.
    target: ["chrome123", "firefox120", "safari17.5"],
    bundle: true,
    minify: isSmall,
    metafile: true,
    tsconfig: "packages/dashboard/tsconfig.json",
    loader: { ".woff2": "file", ".svg": "copy" },
    logLevel: "silent",
    write: false,
  };
  const builds = await Promise.all([
    esbuild.build({ ...shared, format: "esm", splitting: true, entryPoints: modules, inject }),
    esbuild.build({ ...shared, format: "iife", entryPoints: [early] }),
  ]);
  return {
    files: builds.flatMap((build) => build.outputFiles.map(({ path, contents }) => ({ path, contents }))),
    outputs: Object.assign({}, ...builds.map(({ metafile }) => metafile.outputs)),
  };
}

function indexPage(root, { page, base, folder, placeholders }, { files, outputs }) {
  let html = readFileSync(join(root, page), "utf8");
  for (const [placeholder, source] of Object.entries(placeholders)) {
    html = html.replaceAll(placeholder, base + nameOf(root, source, files, outputs));
  }
  return { path: join(root, folder, "index.html"), html, contents: Buffer.from(html) };
}

function nameOf(root, source, files, outputs) {
  const made =
    Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0] ??
    Object.entries(outputs).find(([, { inputs }]) => Object.hasOwn(inputs, source))?.[0];
  const path = made ? join(root, made) : files.find((file) => file.path.includes(source))?.path;
  if (!path) throw new Error(`packages/dashboard/src/index.html refers to ${source}, which was not built.`);
  return basename(path);
}

/** Name of a screen → the files that it needs at once, itself first. */
function filesOfScreens(outputs) {
  const screens = Object.entries(outputs).flatMap(([path, { entryPoint = "" }]) => {
    const name = /^packages\/dashboard\/src\/screens\/([^/]+)\/\1\.tsx$/.exec(entryPoint)?.[1];
    return name === undefined ? [] : [[name, [...neededBy(path, outputs)].map((file) => basename(file))]];
  });
  return Object.fromEntries(screens.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function neededBy(path, outputs, known = new Set()) {
  known.add(path);
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind === "import-statement" && !known.has(imported)) neededBy(imported, outputs, known);
  }
  return known;
}

function compressed({ path, contents }) {
  return COMPRESSED.test(path)
    ? [{ path: `${path}.br`, contents: brotliCompressSync(contents, BROTLI) }]
    : [];
}
