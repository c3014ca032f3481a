import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = join(ROOT, "packages");
const BUILD = readFileSync(join(ROOT, "bin", "build.mjs"), "utf8");

/** Every `const names = await import("package")` of the sources that ends up in the bundle. */
function lazyImports() {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.includes("node_modules"),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), "utf8");
    const imports = [...text.matchAll(/const (.+) = await import\("([^."][^"]*)"\)/g)];
    const packages = imports.filter(([, , name]) => !/^(?:node:|@pergamon-dev\/)/.test(name ?? ""));
    return packages.map(([, names = "", name = ""]) => ({ file, names, name }));
  });
}

/** Whether the package has no form as an ES module. */
function isCommonJs(name: string): boolean {
  const manifest = JSON.parse(
    readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"),
  ) as Manifest;
  const { type, module, exports = {} } = manifest;
  return type !== "module" && module === undefined && !JSON.stringify(exports).includes('"import"');
}

interface Manifest {
  readonly type?: string;
  readonly module?: string;
  readonly exports?: unknown;
}

test("packages in CommonJS are loaded lazily by their default, which is all that the bundle has of them", () => {
  const bundled = lazyImports().filter(({ name }) => !BUILD.includes(`"${name}"`) && isCommonJs(name));
  expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining(["tar-fs", "undici"]));
  const wrong = bundled.filter(({ names }) => !names.startsWith("{ default:"));
  expect(wrong).toEqual([]);
});

const OURS = /^@pergamon-dev\/([^/]+)\/(.+)$/;

/** The file that an import of ours names; else the package. */
function sourceOf(name: string, importer: string): string {
  if (name.startsWith(".")) return join(dirname(importer), name);
  const [, inPackage, path] = OURS.exec(name) ?? [];
  return inPackage === undefined ? name : join(SOURCES, inPackage, "src", `${path}.ts`);
}

/** What a module imports before anything runs: types are gone by then. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  const imports = text.matchAll(/^(?:import|export) (?!type\b)(?:[^"]*? from )?"([^"]+)";/gm);
  return [...imports].map(([, name = ""]) => sourceOf(name, file));
}

test("one process over SQLite and files loads nothing of Postgres and S3", () => {
  const reached = new Set<string>();
  const waiting = ["main.ts", "storage/database/sqlite.ts"].map((name) => join(SOURCES, "server/src", name));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    if (next.endsWith(".ts")) waiting.push(...importsOf(next));
  }
  expect(reached.has("fastify")).toBe(true);
  const clients = ["pg", join(SOURCES, "server/src/storage/blobs/s3-requests.ts")];
  expect([...reached].filter((name) => clients.includes(name))).toEqual([]);
  expect(importsOf(join(SOURCES, "server/src/storage/database/postgres.ts"))).toContain("pg");
  expect(importsOf(join(SOURCES, "server/src/storage/blobs/s3.ts"))).toContain(clients[1]);
});
