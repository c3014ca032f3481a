import { expect, test } from "vitest";

import { allErrors } from "../../api/error-codes.ts";
import { explain } from "./explain.ts";

test("an error has its status, its cause and its remedy", () => {
  expect(explain("scrape_ssl_error").split("\n")).toEqual([
    "SCRAPE_SSL_ERROR (HTTP 500)",
    expect.stringContaining("certificate"),
    expect.stringContaining("skipTlsVerification"),
  ]);
  expect(explain("410")).toContain("SESSION_DESTROYED (HTTP 410)");
});

test("every error says what to do, in its message or beside it", () => {
  const silent = allErrors.filter(
    ({ message, remedy }) =>
      remedy === undefined && !/[.] |\b(?:Choose|Raise|Retry|Send|Try|Wait)\b/.test(message),
  );
  expect(silent).toEqual([]);
});

test("a setting has its default and its bounds", () => {
  expect(explain("WORKERS")).toContain("Default: 1\nAllowed: 1 to 64");
  expect(explain("v1")).toContain("Allowed: on, off");
  expect(explain("SECRET_KEY")).toContain("required with Postgres");
});

test("another name is refused, with what was meant", () => {
  expect(() => explain("SCRAPE_TIMEOUTS")).toThrow("Did you mean SCRAPE_TIMEOUT?");
});
