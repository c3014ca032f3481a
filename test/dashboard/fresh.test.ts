import { beforeAll, expect, test } from "vitest";

import { ServiceError, UnauthorizedError } from "../../packages/server/src/api/errors.ts";
import { accessibilityProblems, overflow } from "./pages.ts";
import { type Asked, example, type Screens, sharedScreens } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

const incident = {
  part: "Language model",
  problem: "small failed 1 min ago (connection refused)",
  since: "2026-01-02T12:00:00.000Z",
  cost: "The next model answers instead of this one.",
  remedy: "Start the model server.",
};
const overview = example("GET /admin/api/overview");
const withPages = (pages: number) => ({
  ...overview,
  data: { ...overview.data, total: { ...overview.data.total, pages } },
});
const incidents = (...found: readonly object[]) => ({
  success: true,
  data: { isReadOnly: false, incidents: found },
});

test("a page that is left open shows what is so now: figures, and what has failed, on every screen, until it works again", async () => {
  const { page, complaints, answer } = await screens.visit("/dashboard", {
    "GET /admin/api/overview": withPages(41_001),
  });
  await page.clock.install();
  await page.getByText("41,001").waitFor();
  await page.reload();
  await page.getByText("All components work").waitFor();
  answer({ "GET /admin/api/overview": withPages(41_002), "GET /admin/api/incidents": incidents(incident) });
  await page.clock.fastForward(31_000);
  await page.getByText("41,002").waitFor();
  await page.getByText("1 part failing").waitFor();
  const strip = page.getByRole("status", { name: "Incidents" });
  await strip.getByText("Start the model server.").waitFor();
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await strip.getByText("small failed 1 min ago (connection refused)").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  answer({ "GET /admin/api/incidents": incidents() });
  await page.clock.fastForward(11_000);
  await strip.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("on a phone, the words of incidents have its whole width, however long they are", async () => {
  const long = { ...incident, part: "x".repeat(300), problem: `${"word ".repeat(60)}${"y".repeat(300)}` };
  const look = { width: 390, colorScheme: "dark" } as const;
  const found = incidents(long, { ...long, part: "blobs" });
  const { page } = await screens.visit("/dashboard", { "GET /admin/api/incidents": found }, { look });
  const strip = page.getByRole("status", { name: "Incidents" });
  await strip.locator("summary").click();
  const widths = await strip.locator("p").evaluateAll((lines) => lines.map((line) => line.clientWidth));
  expect(widths.filter((width) => width > 300)).toHaveLength(2);
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("what could not be refreshed says of when it is, and is fetched again by itself", async () => {
  const { page, answer } = await screens.visit("/dashboard/teams");
  const { data } = example("GET /admin/api/teams");
  await page.clock.install();
  await page.reload();
  await page
    .getByText(data[0]?.name ?? "")
    .first()
    .waitFor();
  answer({
    "GET /admin/api/teams": () => {
      throw new ServiceError("OVERLOADED", { message: "The database does not answer." });
    },
  });
  await page.clock.fastForward(31_000);
  await page.getByText(/^What is shown is of \d\d:\d\d:\d\d\.$/).waitFor();
  await page
    .getByText(data[0]?.name ?? "")
    .first()
    .waitFor();
  answer({ "GET /admin/api/teams": example("GET /admin/api/teams") });
  await page.clock.fastForward(31_000);
  await expect.poll(() => page.getByText("What is shown is of").count()).toBe(0);
});

test("only a login that is missing asks for the key: while it is not known, the cause is told and asked again", async () => {
  const away = () => {
    throw new ServiceError("OVERLOADED", { message: "The database does not answer." });
  };
  const { page, answer } = await screens.visit(
    "/dashboard",
    { "GET /admin/session": away },
    { isUnsettled: true },
  );
  await page.getByText("The database does not answer.").waitFor();
  expect(await page.getByLabel("Operator key").count()).toBe(0);
  answer({ "GET /admin/session": example("GET /admin/session") });
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  answer({
    "GET /admin/session": () => {
      throw new UnauthorizedError("Unauthorized");
    },
  });
  await page.reload();
  await page.getByLabel("Operator key").waitFor();
});

test("a key says whether it lets anybody in", async () => {
  const { data, ...rest } = example("GET /admin/api/keys");
  const [key] = data;
  const ended = new Date(Date.now() - 60_000).toISOString();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { page } = await screens.visit("/dashboard/keys", {
    "GET /admin/api/keys": {
      ...rest,
      data: [
        { ...key, keyId: "1", name: "old", expiresAt: ended },
        { ...key, keyId: "2", name: "spent", creditsUsedThisMonth: 7, restrictions: { credits: 7 } },
        { ...key, keyId: "3", name: "good", expiresAt: later, restrictions: { credits: 8 } },
      ],
    },
  });
  const stateOf = (name: string, state: string) =>
    page.getByRole("row", { name }).getByText(state, { exact: true });
  await stateOf("old", "expired").waitFor();
  await stateOf("spent", "limit used up").waitFor();
  await expect.poll(() => stateOf("good", "works").count()).toBe(1);
});

test("a thousand keys ask for names at most three times, are sorted by any column and found by their names", async () => {
  const { data, ...rest } = example("GET /admin/api/keys");
  const keys = Array.from({ length: 100 }, (_, at) => ({
    ...data[0],
    keyId: `key-${at}`,
    teamId: `team-${at}`,
    name: `key ${at}`,
    creditsUsedThisMonth: (at * 7) % 100,
  }));
  const { page, sent, complaints } = await screens.visit("/dashboard/keys", {
    "GET /admin/api/keys": ({ query }: Asked) => ({
      ...rest,
      data: keys.filter(({ name }) => name.includes((query["search"] ?? "") as string)),
    }),
    "GET /admin/api/names": ({ query }: Asked) => {
      const ids = query["teams"] as readonly string[];
      return {
        success: true,
        data: { teams: Object.fromEntries(ids.map((id) => [id, `Team of ${id}`])), keys: {} },
      };
    },
  });
  await page.getByText("Team of team-99").waitFor();
  expect(sent("GET /admin/api/names").length).toBeLessThanOrEqual(3);
  const first = page.getByRole("row").nth(1);
  await page.getByRole("button", { name: "Used this month" }).click();
  await expect.poll(() => first.innerText()).toContain("key 57");
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await expect.poll(() => first.innerText()).toContain("key 99");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel("Name or id of a key").fill("key 42");
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  expect(complaints).toEqual([]);
});

test("the overview says who is using the service, who waits, and where the limit is", async () => {
  const { page } = await screens.visit("/dashboard", {
    "GET /admin/api/running": {
      success: true,
      data: [
        { teamId: "greedy", running: 3, waiting: 89, limit: 3 },
        { teamId: "modest", running: 1, waiting: 0, limit: null },
      ],
    },
    "GET /admin/api/names": { success: true, data: { teams: { greedy: "Greedy" }, keys: {} } },
  });
  const row = page.getByRole("table", { name: "Teams at work" }).getByRole("row").nth(1);
  await expect
    .poll(async () => (await row.innerText()).split(/\s+/))
    .toEqual(["Greedy", "3", "89", "75", "%", "3"]);
});
