import { beforeAll, expect, test } from "vitest";

import { RateLimitError, UnauthorizedError } from "../../packages/server/src/api/errors.ts";
import { TEAM_ID } from "../../packages/server/src/api/example-values.ts";
import { ADMIN_KEY } from "../operator.ts";
import { accessibilityProblems, OPPOSITE_LOOKS, overflow, settle, tabTo } from "./pages.ts";
import type { Route } from "../../packages/dashboard/src/client/ask.ts";
import { isForViewers } from "../../packages/dashboard/src/client/rights.ts";
import { operations } from "../operations.ts";
import { type Asked, example, FORBIDDEN, type Screens, sharedScreens } from "./screens.ts";

const [wide, narrow] = OPPOSITE_LOOKS;
const TOKEN = "token-of-the-link";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

const refuse = () => {
  throw new UnauthorizedError("Unauthorized");
};

/** A service that lets in whoever has the key or, once, the link. After so many wrong tries it wants a pause. */
function loggedOut(tries: number) {
  let isLinkGood = true;
  let left = tries;
  return {
    "GET /admin/session": refuse,
    "POST /admin/session"({ body: { key, token } }: Asked) {
      if (left === 0) throw new RateLimitError("Rate limit exceeded.", 60);
      left -= 1;
      if (key !== ADMIN_KEY && !(token === TOKEN && isLinkGood)) refuse();
      isLinkGood = false;
      return example("POST /admin/session");
    },
  };
}

test("a login link logs in once, and leaves no trace in the address", async () => {
  const answers = loggedOut(2);
  const options = { look: narrow, isUnsettled: true } as const;
  const { page, complaints } = await screens.visit(`/dashboard#login=${TOKEN}`, answers, options);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
  expect(page.url()).toBe(`${screens.url}/dashboard`);
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  // Whoever comes by the link logs in without a pointer, and goes on without one.
  await tabTo(page, /^Playground/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Playground" }).waitFor();
  expect(complaints).toEqual([]);

  const again = await screens.visit(`/dashboard#login=${TOKEN}`, answers, options);
  await again.page.getByText("This link has already been used").waitFor();
  expect(await overflow(again.page)).toBe(0);
  expect(await accessibilityProblems(again.page)).toEqual([]);
});

test("by keyboard: a wrong key is told in words, and so is that one has to wait", async () => {
  const options = { look: wide, isUnsettled: true } as const;
  const { page, complaints, answer } = await screens.visit("/dashboard/keys", loggedOut(2), options);
  await page.locator("#operator-key:focus").waitFor();
  for (const [key, told] of [
    ["wrong", "Wrong operator key."],
    ["fc-0123456789abcdef", "This key is unknown, revoked or restricted."],
    [ADMIN_KEY, "Too many attempts from this address."],
  ] as const) {
    await page.keyboard.press("Control+a");
    await page.keyboard.type(key);
    await page.keyboard.press("Enter");
    await page.getByText(told).waitFor();
    await page.locator("button:enabled", { hasText: "Log in" }).waitFor();
  }
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);

  answer(loggedOut(1));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  expect(complaints).toEqual([]);
});

test("whoever comes with the key of a team sees its page and nothing else, and logs out", async () => {
  const { data } = example("GET /admin/session");
  const operator = { name: null, role: "team" as const, teamId: TEAM_ID };
  const answers = { "GET /admin/session": { success: true, data: { ...data, operator } } };
  for (const chosen of OPPOSITE_LOOKS) {
    const visit = await screens.visit("/dashboard/keys", answers, { look: chosen });
    const { page, sent, streams, complaints } = visit;
    await page.getByRole("heading", { name: "Research" }).waitFor();
    await page.getByRole("region", { name: "Ledger" }).getByText("allowance → used").waitFor();
    // It asks for nothing that a team has no right to.
    const asked = new Set([...sent("GET /admin/api/names"), ...sent("GET /admin/api/teams")]);
    expect([asked.size, streams(), await page.getByRole("navigation").count()]).toEqual([0, 0, 0]);
    expect(sent("GET /admin/api/usage").map(({ query }) => query["team"])).toEqual([TEAM_ID]);
    expect(sent("GET /admin/api/monitors").map(({ query }) => query["team"])).toEqual([TEAM_ID]);
    expect(await page.locator("a:not(.skip)").count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(sent("DELETE /admin/session")).toHaveLength(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  }
});

test("what a viewer may call is decided on screens as in the service", () => {
  const ofOperators = operations.filter(({ access }) => access === "operator").map(({ line }) => line);
  expect(ofOperators.filter((line) => !isForViewers(line as Route))).toEqual(FORBIDDEN);
  expect(FORBIDDEN).toContain("GET /admin/api/teams/{id}/webhook-secret");
});
