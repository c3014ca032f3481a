import { expect, test } from "vitest";

import { replayOptions, replayRecipe } from "./replay-recipe.ts";
import { scrapeRequestSchema } from "./schema.ts";

const schema = scrapeRequestSchema(() => false);
const url = "https://a.test/page";

function recipeOf(body: object): unknown {
  const request = schema.parse({ url, ...body });
  const recipe = replayRecipe(request.url, replayOptions(request));
  return recipe && JSON.parse(recipe);
}

test.each([
  {},
  { formats: ["html", "links"], onlyMainContent: false, timeout: 5000, maxAge: 0 },
  { headers: {}, actions: [], waitFor: 0 },
])("%j needs nothing but its URL", (body) => {
  expect(recipeOf(body)).toBeUndefined();
});

test.each([
  { headers: { cookie: "a=1" } },
  { waitFor: 500 },
  { mobile: true },
  { actions: [{ type: "wait", milliseconds: 5 }] },
  { location: { country: "DE", languages: ["de"] } },
  { profile: { name: "shop", saveChanges: false } },
  { blockAds: false },
  { proxy: "enhanced" },
  { skipTlsVerification: false },
  { threatProtection: { mode: "manual-only" } },
  { safeMode: true },
  { checkPromptInjection: true },
])("%j is kept", (body) => {
  expect(recipeOf(body)).toEqual({ url, ...body });
});

test("a login in the URL is kept", () => {
  expect(recipeOf({ url: "https://ann:secret@a.test/" })).toEqual({ url: "https://ann:secret@a.test/" });
});

test("a recipe is a request that opens the same page", () => {
  const body = {
    url,
    headers: { a: "b" },
    mobile: true,
    waitFor: 10,
    actions: [{ type: "press", key: "Enter" }],
  };
  const request = schema.parse(body);
  const again = schema.parse(JSON.parse(replayRecipe(request.url, replayOptions(request)) ?? "{}"));
  expect(again).toEqual(request);
});
