import { describe, expect, test } from "vitest";

import type { DoctorResult } from "./check.ts";
import { printDoctor } from "./command.ts";

describe("printDoctor", () => {
  const results: readonly DoctorResult[] = [
    { name: "Node", status: "found", detail: "24.0.0" },
    { name: "ffmpeg", status: "missing", detail: "not found", cost: "No audio.", remedy: "Install it." },
    { name: "Port", status: "problem", detail: "in use" },
  ];

  function print(hasColors: boolean): string {
    const written: string[] = [];
    printDoctor(results, { write: (text) => written.push(text), hasColors: () => hasColors });
    return written.join("");
  }

  test("prints marks, advice and counts", () => {
    expect(print(false)).toBe(
      [
        "✔ Node    24.0.0",
        "– ffmpeg  not found",
        "          No audio.",
        "          → Install it.",
        "✘ Port    in use",
        "",
        "1 found, 1 missing, 1 with problems",
        "",
      ].join("\n"),
    );
  });

  test("breaks lines at the width of a terminal, below the first", () => {
    const written: string[] = [];
    const long = { name: "Port", status: "found", detail: "one two three four" } as const;
    printDoctor([long], { write: (text) => written.push(text), columns: 18 });
    expect(written.slice(0, 2)).toEqual(["✔ Port  one two\n", "        three four\n"]);
  });

  test("colours the marks on a terminal only", () => {
    expect(print(true)).toContain("\u001B[32m✔\u001B[0m Node");
    expect(print(false)).not.toContain("\u001B");
  });
});
