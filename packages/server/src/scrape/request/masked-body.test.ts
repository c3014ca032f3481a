import { expect, test } from "vitest";

import { fillBody, maskBody, maskUrl } from "./masked-body.ts";

const TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

test("values of headers are masked, but for those that say nothing of who calls", () => {
  const headers = { Authorization: "Bearer abc", COOKIE: "a=b", "x-custom": "1", "Accept-Language": "de" };
  expect(maskBody({ url: "https://a.test", headers })).toEqual({
    body: {
      url: "https://a.test",
      headers: { Authorization: "***", COOKIE: "***", "x-custom": "***", "Accept-Language": "de" },
    },
    masked: ["headers.Authorization", "headers.COOKIE", "headers.x-custom"],
  });
});

test("what is typed into pages is masked, and selectors are not", () => {
  const actions = [
    { type: "click", selector: "#password" },
    { type: "write", text: "hunter2" },
    { type: "press", key: "Enter" },
    { type: "wait", selector: "#done" },
  ];
  const { body, masked } = maskBody({ actions });
  expect(masked).toEqual(["actions[1].text"]);
  expect(JSON.stringify(body)).not.toContain("hunter2");
});

test.each([
  [{ formats: [{ type: "json", prompt: `Use the token ${TOKEN} to log in` }] }, ["formats[0].prompt"]],
  [{ actions: [{ type: "executeJavascript", script: `fetch("/x", "${TOKEN}")` }] }, ["actions[0].script"]],
  [
    { metadata: { apiKey: "abc", password: "p", "client-secret": "s" } },
    ["metadata.apiKey", "metadata.password", "metadata.client-secret"],
  ],
  [{ "odd name": { 'a"b': { token: "t" } } }, ['["odd name"]["a\\"b"].token']],
  [{ url: "https://user:pw@a.test/x" }, ["url"]],
  [{ url: "https://a.test/?q=1&access_token=abc#token=x" }, ["url"]],
])("secrets are found wherever they stand: %j", (sent, masked) => {
  const found = maskBody(sent);
  expect(found.masked).toEqual(masked);
  expect(JSON.stringify(found.body)).not.toMatch(/ghp_|"abc"|pw@|=abc|"p"|"s"|"t"/);
});

test.each([
  {
    url: "https://a.test/?page=2",
    formats: ["markdown", { type: "json", schema: { properties: { token: { type: "string" } } } }],
  },
  { url: "https://a.test", location: { country: "DE" }, parsers: [{ type: "pdf", maxPages: 2 }], maxAge: 0 },
  [],
  null,
  "text",
])("what holds no secret stays as it is: %j", (sent) => {
  expect(maskBody(sent)).toEqual({ body: sent, masked: [] });
});

test("an object that is named like its prototype is a member like others", () => {
  const sent = JSON.parse('{"__proto__":{"password":"p"}}') as unknown;
  expect(JSON.stringify(maskBody(sent).body)).toBe('{"__proto__":{"password":"***"}}');
});

test("values are put back where they were", () => {
  const sent = {
    url: "https://u:p@a.test",
    headers: { authorization: "x" },
    actions: [{ type: "write", text: "t" }],
  };
  const kept = maskBody(sent);
  const values = {
    url: "https://u:p@a.test",
    "headers.authorization": "x",
    "actions[0].text": "t",
    other: "y",
  };
  expect(fillBody(kept, values)).toEqual(sent);
  expect(fillBody(kept, {})).toEqual(kept.body);
});

test.each([
  ["https://a.test/x?q=1", "https://a.test/x?q=1"],
  ["https://u:p@a.test/?key=1&a=2&sig=%20x", "https://***@a.test/?key=***&a=2&sig=***"],
  ["ftp://u@a.test", "ftp://***@a.test"],
  ["mailto:me@a.test", "mailto:me@a.test"],
])("%s is shown as %s", (url, shown) => {
  expect(maskUrl(url)).toBe(shown);
});
