import { describe, expect, test } from "vitest";

import { SCRIPTS } from "../engine.ts";
import { HostMemory } from "./host-memory.ts";
import { engineOf, judgedOf, SHELL, TEXT, THIN } from "./fallback.suite.ts";
import { visitOf } from "../visit.suite.ts";
import { learnFromGuess, needOf } from "./needs.ts";

const full = engineOf("full", { offers: "everything" });

describe("what is missing in a page", () => {
  const needs = async (answer: Parameters<typeof judgedOf>[0], browserFeatures: readonly string[] = []) =>
    needOf(await judgedOf(answer), visitOf({ browserFeatures }), new HostMemory());

  test("is nothing when the page is whole and nothing was asked for", async () => {
    expect(await needs(TEXT)).toBeUndefined();
  });

  test("is that its scripts run, seen or guessed", async () => {
    expect(await needs(SHELL)).toMatchObject({ capabilities: [SCRIPTS], isAsked: false, isGuess: false });
    expect(await needs(THIN)).toMatchObject({ capabilities: [SCRIPTS], isAsked: false, isGuess: true });
  });

  test("is no script where the body is wanted as it was sent, unless that was kept from us", async () => {
    const asReceived = async (answer: Parameters<typeof judgedOf>[0]) =>
      needOf(await judgedOf(answer), visitOf({ asReceived: true }), new HostMemory());
    expect(await asReceived(SHELL)).toBeUndefined();
    expect(await asReceived({ body: Buffer.from("") })).toMatchObject({ capabilities: [SCRIPTS] });
    const kept = { statusCode: 403, body: Buffer.from(SHELL) };
    expect(await asReceived(kept)).toMatchObject({ capabilities: [SCRIPTS] });
  });

  test("is what was asked for, which is no guess", async () => {
    expect(await needs(TEXT, ["waitFor"])).toMatchObject({
      capabilities: ["waitFor"],
      isAsked: true,
      isGuess: false,
    });
    expect(await needs(THIN, ["waitFor"])).toMatchObject({
      capabilities: ["waitFor", SCRIPTS],
      isGuess: false,
    });
  });

  test("is nothing in a file that a browser does not show", async () => {
    const archive = { body: Buffer.from("PK\x03\x04"), contentType: "application/zip" };
    expect(await needs(archive, ["screenshot"])).toBeUndefined();
    const data = { body: Buffer.from("{}"), contentType: "application/json" };
    expect(await needs(data, ["screenshot"])).toMatchObject({ isAsked: true });
  });

  test("is nothing that the engine has done already", async () => {
    const rendered = await judgedOf(SHELL, full);
    expect(needOf(rendered, visitOf({ browserFeatures: ["screenshot"] }), new HostMemory())).toBeUndefined();
  });

  test("is not guessed again where a guess was wrong, only there, and only when it was", async () => {
    const hosts = new HostMemory();
    const thin = await judgedOf(THIN);
    learnFromGuess(thin, await judgedOf(TEXT, full), hosts);
    expect(needOf(thin, visitOf(), hosts)).toBeDefined();
    const pending = "<script>setTimeout(() => document.body.append('More'), 4000)</script>";
    learnFromGuess(thin, await judgedOf(THIN + pending, full), hosts);
    expect(needOf(thin, visitOf(), hosts)).toBeDefined();
    learnFromGuess(thin, await judgedOf(THIN, full), hosts);
    expect(needOf(thin, visitOf(), hosts)).toBeUndefined();
    const elsewhere = await judgedOf({ body: Buffer.from(THIN), url: "http://elsewhere.test/" });
    expect(needOf(elsewhere, visitOf(), hosts)).toBeDefined();
    expect(needOf(await judgedOf(SHELL), visitOf(), hosts)).toBeDefined();
  });
});
