import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A longer file says more than one thing. */
const MAX_LINES = 500;

const BUDGETS = "scripts/budgets.json";

/** Tables of data, which are as long as what they list. */
const TABLES = new Set([
  "packages/server/src/storage/database/schema.ts",
  "packages/browser/src/confined/open-page-methods.ts",
  "packages/server/src/fetch/locales/country-positions.ts",
]);

/** Rooms that are no source of the service: what is left are the packages, their page scripts among them. */
const NO_SOURCE = /^(?:tests|tooling|dashboard)$/;

/** Of all files together, and what `npm run check -- --figures` compares with them. */
const TARGETS = [
  {
    name: "lines of packages without the dashboard",
    most: 125_000,
    of: ({ rooms }) => sumOf(rooms, "lines", isSourceRoom),
  },
  {
    name: "lines of bin/ and scripts/",
    most: 4500,
    of: ({ rooms }) => sumOf(rooms, "lines", (room) => room === "tooling"),
  },
  {
    name: "lines of tests",
    most: 80_000,
    of: ({ rooms }) => sumOf(rooms, "lines", (room) => room === "tests"),
  },
  { name: "files of all these", most: 2600, of: ({ rooms }) => sumOf(rooms, "files", () => true) },
  {
    name: "exported names per 1,000 lines, without the dashboard",
    most: 25,
    of: ({ rooms }) => (1000 * sumOf(rooms, "exports", isSourceRoom)) / sumOf(rooms, "lines", isSourceRoom),
  },
];

const isSourceRoom = (room) => !NO_SOURCE.test(room);

/**
 * Counts files, lines (as `wc -l` does) and exported names, by room: a package, a folder of the server, tests, tooling.
 * What a room may have stands in scripts/budgets.json. It may fall freely (`npm run fix` lowers it), and rises only with a
 * reason in CHANGELOG.md or a decision.
 *
 * @param {string} root folder with packages/ and test/
 * @returns {{ figures: string[], rooms: object, targets: string[], violations: string[] }} lines for a person, and what is too much
 */
export function measureSizes(root) {
  const files = readFiles(root);
  const rooms = roomsOf(files);
  const sources = files.filter(({ room }) => room !== "tests" && room !== "tooling");
  const budgets = readBudgets(root);
  return {
    figures: figuresOf(sources, rooms),
    rooms,
    targets: TARGETS.map((target) => targetLine(target, rooms)),
    violations: [...tooLong(sources), ...overBudget(rooms, budgets)],
  };
}

function readFiles(root) {
  const folders = ["packages", "test", "scripts", "bin"].filter((name) => existsSync(join(root, name)));
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((name) => /\.(?:tsx?|mjs|mts|sh)$/.test(name) && !NOT_WRITTEN.test(name))
      .map((name) => ({ name, room: roomOf(name), ...measureFile(join(root, name)) })),
  );
}

function roomOf(name) {
  if (name.startsWith("test/") || /\.(?:test|suite)\.tsx?$/.test(name)) return "tests";
  const [top, folder, , inside, ...rest] = name.split("/");
  if (top === "scripts" || top === "bin") return "tooling";
  return folder === "server" && rest.length > 0 ? `server/${inside}` : folder;
}

/** Packages that are installed, what is built, and the texts of page scripts. */
const NOT_WRITTEN = /\/(?:node_modules|dist)\/|^packages\/browser\/src\/programs\//;

/** Names: of declarations, and of lists that hand names of other files on. */
function measureFile(path) {
  const text = readFileSync(path, "utf8");
  const declared =
    text.match(/^export (?:async )?(?:function|const|class|interface|type \w|enum|abstract)/gm) ?? [];
  const listed = Array.from(
    text.matchAll(/^export (?:type )?\{([^}]*)\}/gm),
    ([, names]) => names.split(",").length,
  );
  return {
    lines: text.split("\n").length - 1,
    exports: declared.length + listed.reduce((sum, count) => sum + count, 0),
  };
}

function roomsOf(files) {
  const rooms = {};
  for (const { room, lines, exports } of files.toSorted((a, b) => (a.room < b.room ? -1 : 1))) {
    rooms[room] ??= { files: 0, lines: 0, exports: 0 };
    rooms[room].files += 1;
    rooms[room].lines += lines;
    rooms[room].exports += exports;
  }
  return rooms;
}

function readBudgets(root) {
  const path = join(root, BUDGETS);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function overBudget(rooms, budgets) {
  if (budgets === undefined) return [];
  return Object.entries(rooms).flatMap(([room, { lines, exports }]) => {
    const budget = budgets[room] ?? { lines: 0, exports: 0 };
    const named = room === "tests" || room === "tooling" ? 0 : exports;
    return [
      ...(lines > budget.lines ? [`${room} has ${lines} lines, its budget is ${budget.lines}`] : []),
      ...(named > budget.exports ? [`${room} exports ${named} names, its budget is ${budget.exports}`] : []),
    ].map(
      (text) => `${text}: make something needless, or raise it in ${BUDGETS} and say why in CHANGELOG.md`,
    );
  });
}

/** Lowers the budget of each room that needs less, and gives one to rooms that are new. */
function lowerBudgets(root) {
  const budgets = readBudgets(root) ?? {};
  const lowered = Object.entries(roomsOf(readFiles(root))).map(([room, { lines, exports }]) => {
    const { [room]: before = { lines: Infinity, exports: Infinity } } = budgets;
    const named =
      room === "tests" || room === "tooling" ? {} : { exports: Math.min(before.exports, exports) };
    return [room, { lines: Math.min(before.lines, roundedUp(lines)), ...named }];
  });
  writeFileSync(join(root, BUDGETS), `${JSON.stringify(Object.fromEntries(lowered), undefined, 2)}\n`);
}

/** Room for a line here and there. */
function roundedUp(lines) {
  return Math.ceil((lines + 10) / 50) * 50;
}

function targetLine({ name, most, of }, rooms) {
  const value = of({ rooms });
  const text = Number.isInteger(value) ? String(value) : value.toFixed(1);
  return `${value <= most ? "met   " : "MISSED"} ${name}: ${text}, target ${most}`;
}

function figuresOf(sources, rooms) {
  const sorted = sources.map(({ lines }) => lines).toSorted((a, b) => a - b);
  const spread = `p50 ${quantile(sorted, 0.5)}, p90 ${quantile(sorted, 0.9)}, max ${quantile(sorted, 1)}`;
  const total = sorted.reduce((sum, lines) => sum + lines, 0);
  const { tests = { files: 0, lines: 0 } } = rooms;
  return [
    `sources  ${sources.length} files, ${total} lines; lines of a file: ${spread}`,
    `tests    ${tests.files} files, ${tests.lines} lines`,
  ];
}

function sumOf(rooms, member, isMeant) {
  return Object.entries(rooms)
    .filter(([room]) => isMeant(room))
    .reduce((sum, [, figures]) => sum + figures[member], 0);
}

/** The lines of the shortest file that at least this share of the files does not exceed. */
function quantile(sorted, share) {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
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
  const isLowering = process.argv.includes("--lower");
  const root = process.argv.slice(2).find((arg) => !arg.startsWith("--"));
  const path = root ?? fileURLToPath(new URL("..", import.meta.url));
  if (isLowering) lowerBudgets(path);
  const { figures, violations } = measureSizes(path);
  for (const line of figures) console.log(line);
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
