import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { ADMIN_KEY } from "../operator.ts";
import {
  accessibilityProblems,
  type Desk,
  look,
  OPENING_MS,
  openDesk,
  OPPOSITE_LOOKS,
  overflow,
  settle,
  tabTo,
} from "./pages.ts";

/** Tries of an address within a minute. */
const TRIES = 5;
const MINUTE_MS = 60_000;

const [wide, narrow] = OPPOSITE_LOOKS;

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, OPENING_MS);

afterAll(() => desk.close());

test("a login link logs in once, and leaves no trace in the address", async () => {
  const token = await desk.world.app.operatorSessions.makeLoginToken();
  const { page, complaints } = await desk.visit(`/dashboard#login=${token}`, { isLoggedOut: true });
  await look(page, narrow);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settle(page);
  expect(page.url()).toBe(`${desk.world.baseUrl}/dashboard`);
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  // Whoever comes by the link logs in without a pointer, and goes on without one.
  await tabTo(page, /^Playground/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Playground" }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();

  const again = await desk.visit(`/dashboard#login=${token}`, { isLoggedOut: true });
  await look(again.page, narrow);
  await again.page.getByText("This link has already been used").waitFor();
  expect(await overflow(again.page)).toBe(0);
  expect(await accessibilityProblems(again.page)).toEqual([]);
  await again.page.context().close();
});

test("by keyboard, after five wrong keys one has to wait for a minute", async () => {
  const { page, complaints } = await desk.visit("/dashboard/keys", { isLoggedOut: true });
  await look(page, wide);
  await page.locator("#operator-key:focus").waitFor();
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    const isOfTeam = tried === TRIES;
    if (isOfTeam) await page.keyboard.press("Control+a");
    await page.keyboard.type(isOfTeam ? "fc-0123456789abcdef" : "wrong");
    await page.keyboard.press("Enter");
    expect((await answered).status()).toBe(401);
    await page.getByText(isOfTeam ? "This is the API key of a team." : "Wrong operator key.").waitFor();
    await page.locator("button:enabled", { hasText: "Log in" }).waitFor();
  }
  await page.keyboard.press("Control+a");
  await page.keyboard.type(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByText("Too many attempts from this address.").waitFor();
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);

  await aMinuteLater(async () => {
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
  });
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** Does something while the service's clock, which nobody can set, says that a minute has passed. */
async function aMinuteLater(act: () => Promise<void>): Promise<void> {
  const real = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => real() + MINUTE_MS);
  try {
    await act();
  } finally {
    clock.mockRestore();
  }
}
