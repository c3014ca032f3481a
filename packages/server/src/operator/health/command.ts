import { type Command, InvalidArgumentError } from "commander";

import { type DoctorResult, doctorSettings, runDoctor } from "./check.ts";
import { checks } from "./checks.ts";
import { withLastUse } from "./last-use.ts";
import type { Program } from "../../cli/program.ts";

export function addDoctorCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("doctor")
    .description(
      "Check this installation: what was found, what is missing, what does not work without it, and how to install it.",
    )
    .option("--reach <url>", "also connect to this host; the doctor contacts no other host")
    .option(
      "--load [seconds]",
      "instead scrape pages of its own, so long per kind of work (default: 10)",
      seconds,
    )
    .action(async ({ reach, load }: { readonly reach?: string; readonly load?: number | true }) => {
      if (load !== undefined) return printLoad(createProgram(), load === true ? 10 : load);
      const { config, partStates, problem } = await createProgram().inspect();
      const found = await runDoctor(doctorSettings(config, reach), checks);
      const unread = problem === undefined ? [] : [unreadable(problem)];
      const results = [...withLastUse(found, partStates, Date.now()), ...unread];
      printDoctor(results, process.stdout);
      if (results.some(({ status }) => status === "problem")) process.exitCode = 1;
    });
}

function seconds(text: string): number {
  const value = Number(text);
  if (value >= 1 && value <= 600) return value;
  throw new InvalidArgumentError("It takes 1 to 600 seconds per kind of work.");
}

async function printLoad(program: Program, secondsPerKind: number): Promise<void> {
  const { measureLoad } = await import("./load.ts");
  for (const line of await measureLoad(program, secondsPerKind)) process.stdout.write(`${line}\n`);
}

function unreadable(detail: string): DoctorResult {
  return {
    name: "Stored settings",
    status: "problem",
    detail,
    cost: "Settings that were made in the dashboard, and how parts fared in use, are not looked at.",
    remedy: "Start the database, or correct DATABASE_URL.",
  };
}

/** The output stream, which reports whether it shows colours (`NO_COLOR` counts). */
interface ReportStream {
  write(text: string): unknown;
  hasColors?(): boolean;
  /** Characters per line; undefined when it is no terminal. */
  readonly columns?: number;
}

/** Status → mark and colour (SGR code: green, yellow, red). */
const MARKS = {
  found: { mark: "✔", color: 32 },
  missing: { mark: "–", color: 33 },
  problem: { mark: "✘", color: 31 },
} as const;

/**
 * Prints one line per result. Lines about a missing part tell what it costs and how to get it. Counts follow
 * at the end.
 */
export function printDoctor(results: readonly DoctorResult[], stream: ReportStream): void {
  const width = Math.max(...results.map(({ name }) => name.length));
  for (const result of results) {
    const { mark, color } = MARKS[result.status];
    const indent = " ".repeat(width + 4);
    const [first, ...more] = [result.detail, ...adviceOf(result)].flatMap((text) =>
      wrapped(text, (stream.columns ?? Infinity) - indent.length),
    );
    stream.write(`${paint(mark, color, stream)} ${result.name.padEnd(width)}  ${first ?? ""}\n`);
    for (const line of more) stream.write(`${indent}${line}\n`);
  }
  stream.write(`\n${countsOf(results)}\n`);
}

/** Breaks a text between words. A word that is longer than a line stays whole. */
function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function adviceOf({ status, cost, remedy }: DoctorResult): readonly string[] {
  if (status === "found") return [];
  return [...(cost ? [cost] : []), ...(remedy ? [`→ ${remedy}`] : [])];
}

function countsOf(results: readonly DoctorResult[]): string {
  const count = (status: DoctorResult["status"]) =>
    results.filter((result) => result.status === status).length;
  return `${count("found")} found, ${count("missing")} missing, ${count("problem")} with problems`;
}

function paint(text: string, color: number, stream: ReportStream): string {
  return stream.hasColors?.() ? `\u001B[${color}m${text}\u001B[0m` : text;
}
