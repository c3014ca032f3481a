import { expect, test } from "vitest";

import { banner } from "./banner.ts";

const URL_OF_IT = "http://127.0.0.1:3002";

test("in open mode the lines to paste need no key", () => {
  const text = banner(URL_OF_IT, { auth: "open", freshAdminKey: undefined });
  expect(text).toMatch(/^Pergamon is listening on http:\/\/127\.0\.0\.1:3002\n/);
  expect(text).toContain(`curl -s ${URL_OF_IT}/v2/scrape -H 'content-type: application/json' -d '{"url":`);
  expect(text).toContain(`  export FIRECRAWL_API_URL=${URL_OF_IT}\n  # no key is needed\n`);
  expect(text).not.toMatch(/[Aa]uthorization|FIRECRAWL_API_KEY|Operator key/);
  expect(text).toMatch(/\/docs\n\n$/);
});

test("in keyed mode they show where the key goes, and how to make one", () => {
  const text = banner(URL_OF_IT, { auth: "keys", freshAdminKey: undefined });
  expect(text).toContain(`${URL_OF_IT}/v2/scrape -H 'authorization: Bearer fc-…' -H 'content-type:`);
  expect(text).toContain("export FIRECRAWL_API_KEY=fc-…   # make one: npx pergamon keys create");
  expect(text).not.toContain("no key is needed");
});

test("the operator's key is shown when it was made just now, and only then", () => {
  const text = banner(URL_OF_IT, { auth: "open", freshAdminKey: "pa-0123" });
  expect(text).toContain(`Operator key for ${URL_OF_IT}/admin/api, shown only once: pa-0123\n`);
});

test("the link to the dashboard comes with the command that makes another one, as it works in a clone", () => {
  const text = banner(URL_OF_IT, { auth: "open", freshAdminKey: undefined, loginToken: "once" });
  expect(text).toContain("for a new link: npx pergamon dashboard):\n");
  expect(text).toContain(`  ${URL_OF_IT}/dashboard#login=once\n`);
});

test("all addresses are those of the public name", () => {
  const text = banner("https://scrape.example", { auth: "keys", freshAdminKey: "pa-0123" });
  const addresses = Array.from(text.matchAll(/https?:\/\/[\w.:-]+/g), ([address]) => address);
  expect(new Set(addresses)).toEqual(new Set(["https://scrape.example", "https://example.com"]));
});

test.each([
  ["open", {}],
  ["keys", { headers: { Authorization: "Bearer fc-…" } }],
] as const)("in %s mode it has the settings of a client of the Model Context Protocol", (auth, headers) => {
  const line = banner(URL_OF_IT, { auth, freshAdminKey: undefined })
    .split("\n")
    .find((text) => text.includes("mcpServers"));
  const pergamon = { type: "http", url: `${URL_OF_IT}/mcp`, ...headers };
  expect(JSON.parse(line ?? "")).toEqual({ mcpServers: { pergamon } });
});
