import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { NotFoundError } from "../../packages/server/src/api/errors.ts";
import { Outgoing } from "../../packages/server/src/api/outgoing.ts";
import { SCRAPE_ID, TEAM_ID } from "../../packages/server/src/api/example-values.ts";
import { REPLAY_ID, requestExample } from "../../packages/server/src/history/operator/show-request.ts";
import { WIDTHS } from "./pages.ts";
import { type Answers, type Asked, example, type Screens, sharedScreens } from "./screens.ts";

const GONE = "http://nowhere.invalid/";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

const rows = ["one", "two", "three"].map((name, at) => ({
  ...requestExample,
  id: `${SCRAPE_ID.slice(0, -1)}${at}`,
  url: `https://example.com/${name}`,
}));
const failed = {
  ...requestExample,
  url: GONE,
  status: "failed",
  statusCode: null,
  errorCode: "SCRAPE_DNS_RESOLUTION_ERROR",
};

/** A log that can be searched, and narrowed to failures. */
const LOG: Answers = {
  "GET /admin/api/requests": ({ query }: Asked) => {
    const { search = "", status } = query;
    const all = status === "failed" ? [failed] : [failed, ...rows];
    const data = all.filter(({ url }) => url.includes(String(search)));
    return { ...example("GET /admin/api/requests"), data, total: data.length };
  },
  "GET /admin/api/requests/{id}": ({ params }: Asked) => detailOf(params["id"] ?? ""),
};

function detailOf(id: string, changes: object = {}) {
  const { success, data } = example("GET /admin/api/requests/{id}");
  const request = [...rows, failed].find((row) => row.id === id) ?? requestExample;
  const explanation =
    request.url === GONE
      ? {
          what: "DNS resolution failed for hostname.",
          cause: "The name is unknown.",
          remedy: "Check its spelling.",
        }
      : data.explanation;
  return { success, data: { ...data, request: { ...request, id }, explanation, masked: [], ...changes } };
}

const drawerOf = (page: Page) => page.getByRole("region", { name: "Request", exact: true });

test("what is looked at stands in the address: it outlives a reload, and can be sent", async () => {
  const { page, complaints } = await screens.visit("/dashboard/requests", LOG);
  await page.getByLabel("Result").selectOption("failed");
  await page.getByRole("link", { name: "nowhere.invalid/", exact: true }).click();
  await drawerOf(page).getByText("DNS resolution failed for hostname").waitFor();
  await drawerOf(page).getByText("Check its spelling.").waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ result: "failed", id: failed.id });
  await page.reload();
  await drawerOf(page).getByText("DNS resolution failed for hostname").waitFor();
  expect(await page.getByLabel("Result").inputValue()).toBe("failed");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.url()).not.toContain("id=");
  await page.keyboard.press("/");
  await page.keyboard.type("three");
  await expect.poll(() => page.url()).toContain("search=three");
  await page.getByLabel("Result").selectOption("");
  await page.getByRole("link", { name: /\/three$/ }).waitFor();
  await page.getByText("1 request", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name").fill("Threes");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.goto(`${screens.url}/dashboard/requests`);
  await page.getByLabel("Saved view").selectOption("Threes");
  await expect.poll(() => page.url()).toContain("search=three");
  expect(complaints).toEqual([]);
});

test("further requests come when the end is near, each page once, and past one without rows", async () => {
  const asked: number[] = [];
  const { page } = await screens.visit("/dashboard/requests", {
    "GET /admin/api/requests": ({ query: { cursor = 0, limit } }: Asked) => {
      const at = Number(cursor);
      if (Number(limit) > 1) asked.push(at);
      const data = Array.from({ length: at === 1 ? 0 : 60 }, (_, row) => ({
        ...requestExample,
        id: `${at}-${row}`,
      }));
      return { ...example("GET /admin/api/requests"), data, cursor: at < 2 ? String(at + 1) : null };
    },
  });
  await page.locator("div.log").evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await expect.poll(() => asked).toEqual([0, 1, 2]);
});

test("a span that is drawn over narrows the log to its hours", async () => {
  const usage = example("GET /admin/api/usage");
  const hour = (at: number) => `2025-10-24T0${at}:00:00.000Z`;
  const [figures] = usage.data.series;
  const series = [0, 1, 2, 3, 4, 5].map((at) => ({ ...figures, start: hour(at) }));
  const { page, sent, complaints } = await screens.visit(
    `/dashboard/requests?since=${hour(0)}&until=${hour(6)}`,
    { ...LOG, "GET /admin/api/usage": { ...usage, data: { ...usage.data, series } } },
  );
  const bars = page.getByRole("img", { name: /^Requests by hour/ });
  const { x, y, width, height } = (await bars.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const middleOf = (at: number) => [x + ((at + 0.5) / series.length) * width, y + height / 2] as const;
  // From its end to its beginning.
  await page.mouse.move(...middleOf(3));
  await page.mouse.down();
  await page.mouse.move(...middleOf(1), { steps: 4 });
  await page.mouse.up();
  const narrowed = { since: hour(1), until: hour(4) };
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(narrowed);
  await expect
    .poll(() => sent("GET /admin/api/requests").at(-1)?.query)
    .toMatchObject({ since: hour(1), until: hour(4) });
  expect(complaints).toEqual([]);
});

test("columns are chosen, and stay after a reload; the time is whole in every window", async () => {
  const { page, complaints } = await screens.visit("/dashboard/requests", LOG);
  const table = page.getByRole("table", { name: "Requests" });
  const heads = () => table.getByRole("columnheader").allInnerTexts();
  const usual = ["Page", "Time", "Result", "Team and key", "Formats", "Source", "Duration"];
  expect(await heads()).toEqual(usual);
  await page.getByText("Columns", { exact: true }).click();
  await page.getByLabel("Formats", { exact: true }).uncheck();
  await page.getByLabel("Credits", { exact: true }).check();
  const chosen = ["Page", "Time", "Result", "Team and key", "Source", "Credits", "Duration"];
  await expect.poll(heads).toEqual(chosen);
  await page.reload();
  await expect.poll(heads).toEqual(chosen);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const seen = await table.evaluate((log) => {
      const [name, time] = [...log.querySelectorAll("tbody td")];
      const frame = log.parentElement?.getBoundingClientRect();
      const text = time?.firstElementChild?.getBoundingClientRect();
      return {
        text: time?.textContent,
        isInside: (text?.right ?? Infinity) <= (frame?.right ?? 0) && (name?.clientWidth ?? 0) > 80,
      };
    });
    expect({ width, ...seen }).toEqual({ width, text: "2 May 08:30:00", isInside: true });
  }
  expect(complaints).toEqual([]);
});

test("a stored screenshot is shown small beside its page, and nothing where there is none", async () => {
  const shown = rows.map((row, at) => (at === 2 ? row : { ...row, formats: ["screenshot"] }));
  const { page } = await screens.visit("/dashboard/requests", {
    "GET /admin/api/requests": { ...example("GET /admin/api/requests"), data: shown, total: 3 },
    "GET /admin/api/requests/{id}/thumbnail.jpg"({ params: { id } }: Asked) {
      if (id !== rows[0]?.id) throw new NotFoundError("It is gone.");
      return new Outgoing('<svg xmlns="http://www.w3.org/2000/svg"/>', { type: "image/svg+xml" });
    },
  });
  const pictured = page.getByRole("cell").filter({ has: page.locator(".thumbnail") });
  await expect.poll(() => pictured.allInnerTexts()).toEqual(["example.com/one"]);
});

test("an opened request tells why a browser was used; ✕, Escape, j and k go through the log", async () => {
  const { page, complaints } = await screens.visit("/dashboard/requests", {
    ...LOG,
    "GET /admin/api/requests/{id}": ({ params: { id = "" } }: Asked) =>
      detailOf(id, {
        request: { ...requestExample, id, way: id === rows[0]?.id ? "browser" : "http" },
        climbed: id === rows[0]?.id ? { from: "http", because: "the static page had no text" } : null,
      }),
  });
  const drawer = page.locator(".drawer");
  await page.getByRole("link", { name: /\/one$/ }).click();
  await drawer.getByText("http → browser (the static page had no text)").waitFor();
  await page.keyboard.press("j");
  await drawer.getByText("via http").waitFor();
  await drawer.getByText(rows[1]?.id ?? "").waitFor();
  await page.keyboard.press("k");
  await drawer.getByText("http → browser").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.keyboard.press("j");
  await drawer.getByRole("button", { name: "Close the request" }).click();
  await drawer.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("a replay with changes sends these, asks for the secrets anew, and shows what differs", async () => {
  const visit = await screens.visit(`/dashboard/requests?id=${SCRAPE_ID}`, {
    "GET /admin/api/requests/{id}": ({ params: { id = "" } }: Asked) =>
      detailOf(id, {
        request: { ...requestExample, id, replayOf: id === REPLAY_ID ? SCRAPE_ID : null },
        masked: ["headers.cookie"],
      }),
  });
  const { page } = visit;
  await page.getByRole("button", { name: "Replay with changes" }).click();
  const dialog = page.getByRole("dialog");
  const body = { url: "https://example.com/", formats: ["links"] };
  await dialog.getByRole("textbox").first().fill(JSON.stringify(body));
  await dialog.getByLabel("headers.cookie").fill("of-nobody");
  await dialog.getByRole("button", { name: "Run again" }).click();
  const compared = page.locator(".drawer").getByRole("tab", { name: "Compare", selected: true });
  await compared.waitFor();
  await page.getByRole("region", { name: "Markdown differences" }).getByText("# New").waitFor();
  const [sent] = visit.sent("POST /admin/api/requests/{id}/replay");
  expect(sent).toMatchObject({
    params: { id: SCRAPE_ID },
    body: { body, fill: { "headers.cookie": "of-nobody" } },
  });
});

test("numbers lead to the requests behind them: of failures, of errors, of sites and their formats", async () => {
  const { page, complaints } = await screens.visit("/dashboard/requests", LOG);
  await page.getByText("41 failed or refused in the last 24 h").click();
  await page.getByRole("link", { name: "timeout at example.com" }).click();
  await expect.poll(() => page.url()).toContain("code=SCRAPE_TIMEOUT");
  await page.goto(`${screens.url}/dashboard/usage?span=day&by=team`);
  await page.getByRole("link", { name: "insufficient_credits" }).click();
  await expect.poll(() => page.url()).toContain("kind=refused");
  expect(complaints).toEqual([]);
});

test("the breakdown of a site is narrowed to its formats, and leads to its requests", async () => {
  const usage = example("GET /admin/api/usage");
  const { page } = await screens.visit("/dashboard/usage?span=day&by=site", {
    "GET /admin/api/usage": ({ query: { by = "team" } }: Asked) => {
      const [group] = usage.data.groups;
      const id = { site: "nowhere.invalid", format: "markdown" }[String(by)] ?? TEAM_ID;
      return { ...usage, data: { ...usage.data, by, groups: [{ ...group, id, name: id }] } };
    },
  });
  const breakdown = page.getByRole("region", { name: "Breakdown" });
  const site = breakdown.getByRole("row", { name: /nowhere\.invalid/ });
  await site.getByRole("button", { name: "formats" }).click();
  await breakdown.getByRole("row", { name: /markdown/ }).waitFor();
  await expect.poll(() => page.url()).toContain("site=nowhere.invalid");
  await breakdown.getByRole("button", { name: /site: nowhere\.invalid/ }).click();
  await breakdown.getByLabel("Group by").selectOption("site");
  await site.getByRole("link", { name: "nowhere.invalid" }).click();
  await expect.poll(() => page.url()).toContain("domain=nowhere.invalid");
});

test("usage tells what credits cost, and the budget of a team that has an allowance", async () => {
  const team = example("GET /admin/api/teams/{id}");
  const { page, complaints } = await screens.visit(`/dashboard/usage?team=${TEAM_ID}`, {
    "GET /admin/api/teams/{id}": {
      ...team,
      data: { ...team.data, allowance: { credits: 9000, period: "month" } },
    },
  });
  await page.getByText("Budget: 9,000 a month, 300 by day").waitFor();
  // The example has used 130 credits at 0.002 EUR each.
  await page.getByRole("region", { name: "Totals" }).getByText("€0.26", { exact: true }).waitFor();
  await page.getByRole("cell", { name: "€0.26" }).waitFor();
  expect(complaints).toEqual([]);
});

test("an answer that lacks something is amber, and a request that ends meanwhile is offered", async () => {
  const partial = { ...requestExample, isPartial: true };
  const { page, complaints, tell } = await screens.visit("/dashboard/requests?result=partial", {
    "GET /admin/api/requests": { ...example("GET /admin/api/requests"), data: [partial], total: 1 },
  });
  await page.getByText("200 partial").first().waitFor();
  tell("request", { ...requestExample, id: REPLAY_ID, createdAt: new Date().toISOString() });
  await page.getByRole("button", { name: "Show 1 new request" }).waitFor();
  expect(complaints).toEqual([]);
});

test("teams and keys are shown by their names, not by ids", async () => {
  const { page } = await screens.visit(`/dashboard/requests?id=${SCRAPE_ID}`, {
    "GET /admin/api/requests/{id}": ({ params: { id = "" } }: Asked) => {
      const [key] = example("GET /admin/api/keys").data;
      return detailOf(id, { request: { ...requestExample, id, keyId: key?.keyId ?? null } });
    },
  });
  await page.locator(".drawer").getByText("Research, key ci").waitFor();
  await page.goto(`${screens.url}/dashboard/profiles`);
  await page.getByRole("row", { name: "shop" }).getByText("Research").waitFor();
  expect(await page.getByText(TEAM_ID).count()).toBe(0);
});

test.each(["en-US@posix", "C", ""])(
  "a chart is drawn in a browser whose language is %j",
  async (language) => {
    const { page, complaints } = await screens.visit("/dashboard/keys");
    await page.addInitScript(
      `Object.defineProperty(Navigator.prototype, "language", { get: () => ${JSON.stringify(language)} })`,
    );
    await page.goto(`${screens.url}/dashboard/usage`);
    await page.locator(".chart .u-over").first().or(page.getByText("cannot draw")).waitFor();
    expect(await page.getByText("cannot draw").count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);
