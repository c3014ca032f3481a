import { expect, test } from "vitest";

import { requestFor, teamWith } from "../scrape.suite.ts";
import { refuseUnsafe } from "./job.ts";

const refuse = (options: object) => () =>
  refuseUnsafe(requestFor({ safeMode: true, ...options }), teamWith());

test.each<readonly [object, string]>([
  [{ proxy: "enhanced" }, "the enhanced proxy"],
  [{ proxy: "stealth" }, "the enhanced proxy"],
  [{ profile: { name: "ann", saveChanges: false } }, "profile"],
  [{ actions: [{ type: "write", text: "x" }] }, "write actions"],
  [{ actions: [{ type: "scroll" }, { type: "press", key: "a" }] }, "press actions"],
  [{ actions: [{ type: "executeJavascript", script: "1" }] }, "executeJavascript actions"],
  [{ headers: { Authorization: "Bearer x" } }, "Authorization headers"],
  [{ headers: { accept: "x", COOKIE: "a=b" } }, "COOKIE headers"],
  [{ headers: { "Proxy-Authorization": "x" } }, "Proxy-Authorization headers"],
  [{ headers: { "X-Api-Key": "x" } }, "X-Api-Key headers"],
  [{ headers: { accept: "x", "x-auth-token": "x" } }, "x-auth-token headers"],
  [{ headers: { "X-Session-Id": "x" } }, "X-Session-Id headers"],
  [{ url: "https://ann:secret@site.test/" }, "user name and password in the URL"],
  [{ url: "https://ann@site.test/" }, "user name and password in the URL"],
])("safe mode refuses %j: %s", (options, what) => {
  expect(refuse(options)).toThrow(`Safe mode does not allow ${what}. Leave it out.`);
  expect(() => refuseUnsafe(requestFor({ ...options, safeMode: false }), teamWith())).not.toThrow();
  expect(() => refuseUnsafe(requestFor(options), teamWith())).not.toThrow();
});

test.each<object>([
  {},
  { proxy: "basic" },
  { proxy: "auto" },
  { headers: { "accept-language": "de", "x-requested-with": "x" } },
  { url: "https://site.test/ann:secret@x" },
  { formats: ["screenshot"] },
  {
    actions: [
      { type: "click", selector: "a" },
      { type: "scroll" },
      { type: "wait", milliseconds: 1 },
      { type: "screenshot" },
      { type: "scrape" },
      { type: "pdf" },
    ],
  },
])("safe mode lets %j pass", (options) => {
  expect(refuse(options)).not.toThrow();
});

test("a team that may not use safe mode is refused when it asks for it", () => {
  const team = teamWith({ flags: { safeMode: false } });
  expect(() => refuseUnsafe(requestFor({ safeMode: true }), team)).toThrow(
    "Safe mode is not enabled for your team.",
  );
  expect(() => refuseUnsafe(requestFor(), team)).not.toThrow();
});
