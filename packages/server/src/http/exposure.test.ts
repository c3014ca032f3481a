import { expect, test } from "vitest";

import { readConfig } from "../config/config.ts";
import { exposureWarnings } from "./exposure.ts";

const ADDRESS = "http://192.0.2.7:3002";
const warningsOf = (settings: Readonly<Record<string, string>>) =>
  exposureWarnings(readConfig(settings), ADDRESS);

test("F15 open mode for other machines is told in one clear warning, with the address and the way out", () => {
  const warnings = warningsOf({ HOST: "0.0.0.0", AUTH: "open" });
  expect(warnings).toHaveLength(1);
  for (const word of [ADDRESS, "HOST=0.0.0.0", "AUTH=open", "AUTH=keys"]) expect(warnings[0]).toContain(word);
});

test("open mode behind a proxy with a name of its own is told, too", () => {
  expect(warningsOf({ PUBLIC_URL: "https://scrape.test" })).toEqual([
    expect.stringMatching(/reach https:\/\/scrape\.test can use this service.*set AUTH=keys/),
  ]);
});

test("with keys and without PUBLIC_URL, links that follow the Host are told", () => {
  expect(warningsOf({ AUTH: "keys" })).toEqual([expect.stringContaining("Set PUBLIC_URL")]);
  expect(warningsOf({ HOST: "0.0.0.0" })).toEqual([expect.stringContaining("Set PUBLIC_URL")]);
});

test.each([
  {},
  { HOST: "localhost", AUTH: "open" },
  { HOST: "::1" },
  { PUBLIC_URL: "http://localhost:8080" },
  { HOST: "0.0.0.0", PUBLIC_URL: "https://scrape.test" },
])("nothing is to be warned of with %j", (settings) => {
  expect(warningsOf(settings)).toEqual([]);
});
