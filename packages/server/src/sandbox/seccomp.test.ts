import { describe, expect, test } from "vitest";

import { CALL_TABLES, type CallTable } from "./denied-calls.ts";
import { assembleFilter } from "./seccomp.ts";

interface SystemCall {
  readonly architecture: number;
  readonly number: number;
  readonly firstArgument?: number;
}

const ALLOWED = "allowed";
const ENDED = "ended";

/** Runs the filter as the kernel does, and says in words what comes of a call. */
function judge(filter: Uint8Array, { architecture, number, firstArgument = 0 }: SystemCall): string {
  const words = new Map([
    [0, number],
    [4, architecture],
    [16, firstArgument],
  ]);
  const view = new DataView(filter.buffer);
  let accumulator = 0;
  for (let at = 0; at < filter.byteLength; at += 8) {
    const code = view.getUint16(at, true);
    const operand = view.getUint32(at + 4, true);
    if (code === 0x06) return verdict(operand);
    if (code === 0x20) accumulator = words.get(operand) ?? Number.NaN;
    else at += 8 * view.getUint8(at + (holds(code, accumulator, operand) ? 2 : 3));
  }
  throw new Error("The filter has no end.");
}

function holds(code: number, accumulator: number, operand: number): boolean {
  if (code === 0x15) return accumulator === operand;
  if (code === 0x35) return accumulator >= operand;
  if (code === 0x45) return (accumulator & operand) !== 0;
  throw new Error(`Unknown instruction ${code}`);
}

function verdict(operand: number): string {
  if (operand === 0x7fff0000) return ALLOWED;
  if (operand === 0x80000000) return ENDED;
  return `fails with ${operand & 0xffff}`;
}

describe.each(Object.entries(CALL_TABLES) as readonly (readonly [string, CallTable])[])(
  "filter of %s",
  (_name, table) => {
    const filter = assembleFilter(table);
    const outcome = (number: number, firstArgument = 0) =>
      judge(filter, { architecture: table.auditArchitecture, number, firstArgument });

    test.each(Object.entries(table.denied))("refuses %s", (_call, number) => {
      expect(outcome(number)).toBe("fails with 1");
    });

    test("lets every other call pass", () => {
      const denied = new Set([...Object.values(table.denied), table.clone3]);
      const others = Array.from({ length: 480 }, (_, number) => number).filter(
        (number) => !denied.has(number),
      );
      expect(others.filter((number) => outcome(number) !== ALLOWED)).toEqual([]);
    });

    test("clone makes threads and processes, but no user namespaces", () => {
      expect(outcome(table.clone, 0x11)).toBe(ALLOWED);
      expect(outcome(table.clone, 0x10000000 | 0x11)).toBe("fails with 1");
    });

    test("clone3 is not there", () => {
      expect(outcome(table.clone3)).toBe("fails with 38");
    });

    test("a program of another architecture is ended", () => {
      expect(judge(filter, { architecture: 0x40000003, number: 1 })).toBe(ENDED);
    });

    test("fits into what the kernel takes", () => {
      expect(filter.byteLength / 8).toBeLessThan(4096);
      expect(filter.byteLength % 8).toBe(0);
    });
  },
);

test("calls of the x32 table are not there", () => {
  const table = CALL_TABLES.x64 as CallTable;
  const call = { architecture: table.auditArchitecture, number: 0x40000000 + 101 };
  expect(judge(assembleFilter(table), call)).toBe("fails with 38");
});
