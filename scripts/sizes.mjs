import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A longer file of src/ says more than one thing. */
const MAX_LINES = 500;

/** Tables of data, which are as long as what they list. */
const TABLES = new Set([
  "src/platform/database/schema.ts",
  "src/platform/browser/confined/open-page-methods.ts",
  "src/visit/locales/country-positions.ts",
]);

/**
 * Counts the lines of sources and tests as `wc -l` does.
 *
 * @param {string} root folder with src/ and test/
 * @returns {{ figures: string[], violations: string[] }} lines for a person, and what is too long
 */
export function measureSizes(root) {
  const files = ["src", "web", "programs", "test"].flatMap((folder) => readFiles(root, folder));
  const tests = files.filter(isTest);
  const sources = files.filter((file) => !isTest(file)).sort((a, b) => a.lines - b.lines);
  return { figures: figuresOf(sources, tests), violations: tooLong(sources) };
}

function readFiles(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("src/programs/"))
    .map((name) => ({ name, lines: countLines(join(root, name)) }));
}

function countLines(path) {
  return readFileSync(path, "utf8").split("\n").length - 1;
}

function isTest({ name }) {
  return name.startsWith("test/") || /\.(?:test|suite)\.ts$/.test(name);
}

function figuresOf(sources, tests) {
  const [sourceLines, testLines] = [sumOf(sources), sumOf(tests)];
  const spread = `p50 ${quantile(sources, 0.5)}, p90 ${quantile(sources, 0.9)}, max ${quantile(sources, 1)}`;
  return [
    `sources  ${sources.length} files, ${sourceLines} lines; lines of a file: ${spread}`,
    `tests    ${tests.length} files, ${testLines} lines`,
  ];
}

function sumOf(files) {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

/** The lines of the shortest file that at least this share of the files does not exceed. */
function quantile(sorted, share) {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]?.lines ?? 0;
}

function tooLong(sources) {
  return sources
    .filter(({ name, lines }) => lines > MAX_LINES && !TABLES.has(name))
    .map(
      ({ name, lines }) =>
        `${name} has ${lines} lines, more than ${MAX_LINES}: split it where its subject changes`,
    );
}

const isMainModule = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href;
if (isMainModule) {
  const { figures, violations } = measureSizes(
    process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)),
  );
  for (const line of figures) console.log(line);
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
