import { expect, test } from "vitest";

import { parts } from "./all.ts";
import { describeSettings } from "./described-settings.ts";

const find = (environment: Readonly<Record<string, string>>, fromFile: readonly string[] = []) =>
  new Map(describeSettings({ environment, fromFile: new Set(fromFile) }).map((one) => [one.name, one]));

test("every setting is described, with what holds without it", () => {
  const found = find({});
  expect([...found.keys()]).toEqual(
    Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape)),
  );
  expect(found.get("PORT")).toMatchObject({
    part: "Server",
    value: null,
    isSet: false,
    origin: "default",
    usual: "3002",
  });
  expect(found.get("AUTH")?.usual).toContain("on loopback");
  expect(found.get("WEBHOOK_RETRY_SECONDS")?.usual).toBe("60,300,900");
  for (const { help } of found.values()) expect(help).not.toBe("");
});

test("it is told what gave a value", () => {
  const found = find({ PORT: "1", HOST: "::1", DATA_DIR: " " }, ["HOST"]);
  expect(["PORT", "HOST", "DATA_DIR"].map((name) => found.get(name)?.origin)).toEqual([
    "environment",
    "file",
    "default",
  ]);
  expect(found.get("PORT")).toMatchObject({ value: "1", isSet: true, isSecret: false });
});

const SECRETS = [
  "ADMIN_KEY",
  "METRICS_KEY",
  "SECRET_KEY",
  "LLM_API_KEY",
  "LLM_HEADERS",
  "LLM_FALLBACKS",
  "PROXIES",
  "OUTBOUND_PROXY",
  "PROVIDER_SECRETS",
  "AUDIT_COLLECTOR_KEY",
  "THREATS_KEY",
  "BROWSER_URLS",
  "ALERT_WEBHOOK_URL",
];

test.each(SECRETS.filter((name) => find({}).has(name)))("%s is set or not, and never shown", (name) => {
  const found = find({ [name]: "of-nobody-else" });
  expect(found.get(name)).toMatchObject({ isSet: true, isSecret: true, value: null });
  expect(JSON.stringify([...found.values()])).not.toContain("of-nobody-else");
});

test.each([...find({}).keys()])("a login in the address that %s may hold is not shown", (name) => {
  const address = "https://me:of-nobody-else@a.test/?api_key=of-nobody-else&x=1";
  expect(JSON.stringify([...find({ [name]: address }).values()])).not.toContain("of-nobody-else");
});
