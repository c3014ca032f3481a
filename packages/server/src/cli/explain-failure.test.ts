import { expect, test } from "vitest";
import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import { scrapeRequestSchema } from "../scrape/request/schema.ts";
import { explainFailure } from "./explain-failure.ts";

/** A number is a result code of SQLite. */
const systemError = (code: string | number, message: string) =>
  Object.assign(new Error(message), typeof code === "number" ? { errcode: code } : { code });

test.each([
  ["EADDRINUSE", /^listen failed\nAnother program uses this port\. .*PORT/],
  ["EACCES", /^listen failed\n.*DATA_DIR/],
  ["EADDRNOTAVAIL", /^listen failed\n.*HOST/],
  ["EROFS", /^listen failed\n.*DATA_DIR/],
  ["ENOTDIR", /^listen failed\nA file is in the place of a folder\./],
  ["ENOSPC", /^listen failed\nThe disk is full\./],
  [13, /^listen failed\nThe disk is full\. Free some space, or set DATA_DIR/],
  [8, /^listen failed\nThe folder is read-only\. Set DATA_DIR/],
])("%s is told with what to do", (code, explanation) => {
  expect(explainFailure(systemError(code, "listen failed"))).toMatch(explanation);
});

test.each(["EPIPE", ""])("the code %j has no advice: the message is all", (code) => {
  expect(explainFailure(systemError(code, "failed"))).toBe("failed");
});

test("a failure of the service has its code before its message", () => {
  const failure = new ServiceError("SCRAPE_TIMEOUT", { message: "Too late." });
  expect(explainFailure(failure)).toBe("Too late. (SCRAPE_TIMEOUT)");
});

test("a request that does not fit is told issue by issue, with their places", () => {
  const schema = z
    .strictObject({ url: z.string(), nested: z.object({ list: z.array(z.int()) }) })
    .refine(() => false, "Never right.");
  const { error } = schema.safeParse({ url: 1, nested: { list: [1, "x"] } });
  expect(explainFailure(error)).toBe(
    "url: Invalid input: expected string, received number\n" +
      "nested.list.1: Invalid input: expected number, received string",
  );
  const whole = schema.safeParse({ url: "x", nested: { list: [] } });
  expect(explainFailure(whole.error)).toBe("Never right.");
});

test.each([
  [new Error("plain"), "plain"],
  ["text", "text"],
  [undefined, "undefined"],
  [7, "7"],
])("%s is told as it is", (failure, explanation) => {
  expect(explainFailure(failure)).toBe(explanation);
});

test("no stack is shown", () => {
  expect(explainFailure(new TypeError("x is not a function"))).not.toMatch(/\n\s+at /);
});

test("F6 the advice of a request that does not fit is told", () => {
  const { error } = scrapeRequestSchema(() => false).safeParse({ url: "localhost:3000" });
  expect(explainFailure(error)).toMatch(
    /^url: URL must have a valid top-level domain .* EGRESS_ALLOW=localhost\.$/,
  );
});
