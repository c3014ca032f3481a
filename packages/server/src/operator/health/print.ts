import type { DoctorResult } from "./check.ts";

/** Where the results go; a terminal says whether it shows colours (`NO_COLOR` counts). */
interface ReportStream {
  write(text: string): unknown;
  hasColors?(): boolean;
}

/** Status → mark and colour (SGR code: green, yellow, red). */
const MARKS = {
  found: { mark: "✔", color: 32 },
  missing: { mark: "–", color: 33 },
  problem: { mark: "✘", color: 31 },
} as const;

/** Prints one line per result; below what is not found, what that costs and how to get it; then the counts. */
export function printDoctor(results: readonly DoctorResult[], stream: ReportStream): void {
  const width = Math.max(...results.map(({ name }) => name.length));
  for (const result of results) {
    const { mark, color } = MARKS[result.status];
    stream.write(`${paint(mark, color, stream)} ${result.name.padEnd(width)}  ${result.detail}\n`);
    for (const line of adviceOf(result)) stream.write(`${" ".repeat(width + 4)}${line}\n`);
  }
  stream.write(`\n${countsOf(results)}\n`);
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
