import { expect, test } from "vitest";

import { ownFailure, PartAway } from "./own-failure.ts";

const withFacts = (facts: object, cause?: unknown) => Object.assign(new Error("failed", { cause }), facts);

test.each([
  ["EMFILE", withFacts({ code: "EMFILE" }), "files"],
  ["ENFILE", withFacts({ code: "ENFILE" }), "files"],
  [
    "a cause",
    new Error("outer", { cause: new Error("middle", { cause: withFacts({ code: "ENOSPC" }) }) }),
    "disk",
  ],
  ["another program", new Error("tcp open error: Too many open files (os error 24)"), "files"],
  [
    "a thread, out of which errors come without their codes",
    structuredClone(withFacts({ message: "EMFILE: too many open files, open '/dev/null'", code: "EMFILE" })),
    "files",
  ],
  ["a full disk of SQLite", withFacts({ code: "ERR_SQLITE_ERROR", errcode: 13 }), "disk"],
  ["a write of SQLite that failed", withFacts({ errcode: 778 }), "disk"],
  ["another process that writes", withFacts({ errcode: 5 }), "database"],
  ["a program that cannot be started", withFacts({ code: "EAGAIN", syscall: "spawn node" }), "threads"],
  ["a driver", new Error("outer", { cause: new PartAway("blobs", new Error("ECONNREFUSED")) }), "blobs"],
])("%s tells what the service lacked", (_what, failure, part) => {
  expect(ownFailure(failure)).toBe(part);
});

test("failures of sites and callers are not the service's own, nor such that cause each other", () => {
  const circle = withFacts({ code: "ENOENT" });
  circle.cause = circle;
  const constraint = withFacts({ errcode: 19 });
  const others = [circle, constraint, withFacts({ code: "ECONNREFUSED" }), withFacts({ code: "EAGAIN" })];
  for (const failure of [...others, "EMFILE", undefined, { code: "EMFILE" }])
    expect(ownFailure(failure)).toBeUndefined();
});
