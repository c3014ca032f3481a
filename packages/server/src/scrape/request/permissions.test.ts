import { describe, expect, test } from "vitest";

import { NO_POLICY } from "../../accounts/threat-policy.ts";
import { ForbiddenError } from "../../api/errors.ts";
import { callerWith, requestFor, teamWith } from "../scrape.suite.ts";
import { checkPermissions, refuseThreatProtection } from "./permissions.ts";

function refusalOf(options: object, caller: ReturnType<typeof callerWith>): string | undefined {
  try {
    checkPermissions(requestFor(options), caller);
    return undefined;
  } catch (failure) {
    if (failure instanceof ForbiddenError) return failure.message;
    throw failure;
  }
}

describe("a key that is restricted to formats", () => {
  const only = (...formats: string[]) => callerWith({}, { formats });

  test.each<readonly [object, string]>([
    [{}, "markdown"],
    [{ formats: ["markdown", "html"] }, "html"],
    [{ formats: ["screenshot"] }, "screenshot"],
    [{ formats: ["links", "summary"] }, "summary"],
    [{ formats: ["links"], actions: [{ type: "screenshot" }] }, "screenshot"],
    [{ formats: ["links"], actions: [{ type: "scrape" }] }, "scrape"],
    [{ formats: ["links"], actions: [{ type: "pdf" }] }, "pdf"],
    [{ formats: ["links"], actions: [{ type: "executeJavascript", script: "1" }] }, "executeJavascript"],
  ])("refuses %j for the sake of %s", (options, refused) => {
    const key = refused === "html" ? only("links", "markdown") : only("links");
    expect(refusalOf(options, key)).toMatch(
      new RegExp(`^Request blocked: this API key is restricted to .*not allowed: ${refused}\\.$`),
    );
  });

  test("names each that it refuses once", () => {
    const formats = ["html", "html", "images"];
    expect(refusalOf({ formats, actions: [{ type: "pdf" }, { type: "pdf" }] }, only("links"))).toContain(
      "restricted to the following formats: links. Requested formats not allowed: html, images, pdf.",
    );
  });

  test.each<object>([
    { formats: ["links"] },
    { formats: [] },
    {
      formats: ["links"],
      actions: [
        { type: "click", selector: "a" },
        { type: "wait", milliseconds: 1 },
      ],
    },
    {
      formats: ["links"],
      actions: [
        { type: "write", text: "x" },
        { type: "press", key: "Enter" },
      ],
    },
  ])("lets %j pass", (options) => {
    expect(refusalOf(options, only("links"))).toBeUndefined();
  });

  test("without a list nothing is refused, with an empty one everything that gives something", () => {
    expect(refusalOf({ formats: ["screenshot", "html"] }, callerWith())).toBeUndefined();
    expect(refusalOf({}, only())).toContain("not allowed: markdown.");
    expect(refusalOf({ formats: [] }, only())).toBeUndefined();
  });
});

describe("threat protection of a request", () => {
  const policy = { ...NO_POLICY, mode: "normal" } as const;

  test.each([
    [
      "a team that may not use it",
      { flags: { threatProtection: false } },
      { blacklist: [] },
      "enterprise feature",
    ],
    [
      "a team whose policy is its last word",
      { threatPolicy: { ...policy, allowRequestOverrides: false } },
      { mode: "normal" },
      "overrides are disabled",
    ],
    [
      "a team that is protected, to be so no more",
      { threatPolicy: policy },
      { mode: "off" },
      "cannot be disabled",
    ],
    ["a connection that there is not", {}, { mode: "zscaler" }, "No zscaler connection is configured"],
  ] as const)("is refused to %s", (_name, team, threatProtection, message) => {
    expect(refusalOf({ threatProtection }, callerWith(team))).toContain(message);
  });

  test.each([
    [{}, { mode: "off" }],
    [{ threatPolicy: policy }, { mode: "manual-only" }],
    [{ threatPolicy: policy }, { blacklist: ["a.test"] }],
    [{ flags: { threatProtection: true } }, { mode: "normal" }],
  ] as const)("may change what a team with %j has: %j", (team, threatProtection) => {
    expect(refusalOf({ threatProtection }, callerWith(team))).toBeUndefined();
  });

  test("is not looked at by who does not ask for it", () => {
    expect(refusalOf({}, callerWith({ flags: { threatProtection: false } }))).toBeUndefined();
    expect(() => refuseThreatProtection(teamWith({ flags: { threatProtection: false } }))).toThrow(
      ForbiddenError,
    );
  });
});

test("zero data retention is refused before threat protection, and that before formats", () => {
  const caller = callerWith(
    { flags: { zeroDataRetention: "off", threatProtection: false } },
    { formats: [] },
  );
  const threatProtection = { mode: "normal" };
  expect(refusalOf({ zeroDataRetention: true, threatProtection }, caller)).toMatch(/^Zero Data Retention/);
  expect(refusalOf({ threatProtection }, caller)).toMatch(/^Threat protection/);
  expect(refusalOf({}, caller)).toMatch(/^Request blocked/);
});
