import { createHash } from "node:crypto";
import { basename } from "node:path";

/**
 * A splitting build makes a chunk for each set of modules that the same `import()`s share: a start of the service would
 * load 145 files. Here those that the same programs load at their start become one file.
 *
 * @param {{ build: import("esbuild").build }} esbuild
 * @param {import("esbuild").BuildOptions} options `entryPoints` by name
 */
export async function buildMerged(esbuild, options) {
  const chunks = chunksOf(await esbuild.build({ ...options, banner: {} }));
  const groups = groupsOf(chunks, Object.keys(options.entryPoints));
  const late = new Set([...chunks.values()].flatMap(({ later }) => later));
  const names = [...chunks.keys()].filter((name) => !chunks.get(name).group || late.has(name));
  const merged = await esbuild.build({
    ...options,
    entryPoints: [...groups.keys(), ...names].map((name) => ({ in: name, out: basename(name, ".js") })),
    splitting: false,
    inject: [],
    plugins: [fromTexts(chunks, groups)],
  });
  return merged.outputFiles;
}

/**
 * All names of a build are its own: a service that still runs from an earlier one may load a chunk late, and gets none of
 * this build. They keep their lengths, so that source maps hold.
 */
function chunksOf({ metafile, outputFiles }) {
  const salt = Object.keys(metafile.outputs).join();
  const rename = (text) =>
    text.replaceAll(
      /\b(chunk-[\w.-]+-)([0-9A-Z]{8})(?=\.js\b)/g,
      (_, name, hash) => name + hashOf(salt + hash),
    );
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const chunks = new Map();
  for (const [path, { imports, exports }] of Object.entries(metafile.outputs)) {
    const name = basename(path);
    if (name.endsWith(".map")) continue;
    const targets = (isLate) =>
      imports
        .filter(({ external, kind }) => !external && (kind === "dynamic-import") === isLate)
        .map((target) => rename(basename(target.path)));
    const map = Buffer.from(texts.get(`${name}.map`)).toString("base64");
    const text = rename(texts.get(name)).replace(
      `${rename(name)}.map`,
      `data:application/json;base64,${map}`,
    );
    chunks.set(rename(name), { text, exports, atStart: targets(false), later: targets(true) });
  }
  return chunks;
}

/** Groups the chunks by the programs that load them at their start. What a program loads only later is in no group. */
function groupsOf(chunks, programs) {
  const reached = (name, isEver, found = new Set()) => {
    const { atStart, later } = chunks.get(name);
    for (const target of isEver ? [...atStart, ...later] : atStart) {
      if (!found.has(target)) reached(target, isEver, found.add(target));
    }
    return found;
  };
  const reaches = programs.map((program) => [
    reached(`${program}.js`, false),
    reached(`${program}.js`, true),
  ]);
  const byPrograms = new Map();
  for (const name of chunks.keys()) {
    const key = reaches
      .map(([atStart, ever]) => (atStart.has(name) ? "start" : ever.has(name) ? "later" : "-"))
      .join();
    if (key.includes("later") || !key.includes("start")) continue;
    byPrograms.set(key, [...(byPrograms.get(key) ?? []), name]);
  }
  const groups = new Map();
  for (const members of byPrograms.values()) {
    const group = `chunk-start-${hashOf(members.join())}.js`;
    groups.set(group, members);
    members.forEach((name, index) => Object.assign(chunks.get(name), { group, index }));
  }
  return groups;
}

/** Gives a build the texts of chunks, and of what stands between a group and those outside it. */
function fromTexts(chunks, groups) {
  const namesOf = (name, asIn) => {
    const { exports, index } = chunks.get(name);
    return exports
      .map((each) => (asIn ? `${each} as ${each}$${index}` : `${each}$${index} as ${each}`))
      .join();
  };
  const kinds = {
    chunk: (name) => chunks.get(name).text,
    group: (name) =>
      groups
        .get(name)
        .map((member) => `export{${namesOf(member, true)}}from"./${member}";`)
        .join("\n"),
    outside: (name) => `export{${namesOf(name, false)}}from"./${chunks.get(name).group}";`,
  };
  return {
    name: "from-texts",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, importer, kind, namespace }) => {
        const name = basename(path);
        const { group } = chunks.get(name) ?? {};
        if (kind === "entry-point")
          return { path: name, namespace: groups.has(name) ? "group" : group ? "outside" : "chunk" };
        if (kind !== "import-statement" || !group) return { path, external: true };
        const isInside = namespace === "group" || chunks.get(importer)?.group === group;
        return { path: name, namespace: isInside ? "chunk" : "outside", sideEffects: isInside };
      });
      for (const [namespace, textOf] of Object.entries(kinds))
        build.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: textOf(path), loader: "js" }));
    },
  };
}

function hashOf(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
}
