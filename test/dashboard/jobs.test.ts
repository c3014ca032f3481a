import { beforeAll, expect, test } from "vitest";

import { SCRAPE_ID } from "../../packages/server/src/api/example-values.ts";
import { accessibilityProblems } from "./pages.ts";
import { type Answers, type Asked, example, type Screens, sharedScreens } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

const { job, ...detail } = example("GET /admin/api/jobs/{id}").data;
const running = {
  ...job,
  state: "scraping",
  total: 5,
  completed: 2,
  failed: 1,
  running: 2,
  endedAt: null,
} as const;

const page = (path: string, state: string, changes: object = {}) => ({
  url: `https://example.com${path}`,
  state,
  requestId: null,
  statusCode: state === "done" ? 200 : null,
  code: null,
  error: null,
  ...changes,
});
const PAGES = [
  page("/docs/a", "done"),
  page("/<img src=x onerror=alert(1)>/\u202Egpj.exe", "done"),
  page("/held", "running"),
  page("/gone", "failed", { code: "SCRAPE_SITE_ERROR", error: "The connection was refused." }),
];

const RUNNING: Answers = {
  "GET /admin/api/jobs": { success: true, data: [running], cursor: null },
  "GET /admin/api/jobs/{id}": {
    success: true,
    data: { ...detail, job: running, causes: [{ code: "SCRAPE_SITE_ERROR", count: 1, message: "Refused." }] },
  },
  "GET /admin/api/jobs/{id}/pages": ({ query }: Asked) => ({
    success: true,
    data: PAGES.filter(({ state }) => query["state"] === undefined || state === query["state"]),
    cursor: null,
  }),
};

test("without a job, the screen says how to start one, and what fits no filter is told", async () => {
  const visit = await screens.visit("/dashboard/jobs", {
    "GET /admin/api/jobs": { success: true, data: [], cursor: null },
  });
  await visit.page.getByText("No job has been started").waitFor();
  await visit.page.getByRole("button", { name: "Copy command" }).click();
  expect(await visit.page.evaluate("navigator.clipboard.readText()")).toContain(
    "curl -sS 'https://scrape.test/v2/batch/scrape'",
  );
  await visit.page.getByLabel("State").selectOption("failed");
  await visit.page.getByText("No job fits").waitFor();
  expect(visit.sent("GET /admin/api/jobs").map(({ query }) => query)).toContainEqual(
    expect.objectContaining({ state: "failed" }),
  );
  expect(visit.complaints).toEqual([]);
});

test("a job is seen as it runs, opened, and cancelled", async () => {
  const { page: screen, complaints, sent, tell, answer } = await screens.visit("/dashboard/jobs", RUNNING);
  const row = screen.getByRole("row").filter({ hasText: "Batch scrape" });
  await row.getByText("3 of 5").waitFor();
  await row.getByText("running").waitFor();
  tell("job", { ...running, completed: 3, running: 1 });
  await row.getByText("4 of 5").waitFor();

  await row.getByRole("link").first().click();
  await screen
    .getByRole("region", { name: "Why pages failed" })
    .getByText(/SCRAPE_/)
    .waitFor();
  const heat = screen.getByRole("region", { name: "Hosts over time" });
  await heat.getByRole("img", { name: /^example\.com, .*: 8 pages, 1 failed$/ }).waitFor();
  await heat.getByRole("cell", { name: "12", exact: true }).waitFor();
  await heat.getByLabel("Counted").selectOption("Failed pages");
  await heat.getByText("Each column is 1 h. The fullest cell has 1 page.").waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);
  const tree = screen.getByRole("list", { name: "Pages by folder" });
  await tree.getByText("docs/a").waitFor();
  await tree.getByText("2 done").waitFor();
  // Neither is run, and the direction of nothing is turned round.
  await tree.getByText("%3Cimg%20src=x%20onerror=alert(1)%3E").first().waitFor();
  await screen.getByLabel("Result").selectOption("failed");
  await tree.getByText("gone", { exact: true }).waitFor();
  await expect.poll(() => tree.getByText("docs/a").count()).toBe(0);
  expect(
    await screen
      .getByRole("link", { name: /^Download/ })
      .evaluateAll((all) => all.map((one) => one.pathname)),
  ).toEqual([".zip", ".jsonl"].map((ending) => `/admin/api/jobs/${SCRAPE_ID}/documents${ending}`));

  const cancelled = { ...running, state: "cancelled", endedAt: job.endedAt };
  answer({
    "DELETE /admin/api/jobs/{id}"() {
      answer({ "GET /admin/api/jobs/{id}": { success: true, data: { ...detail, job: cancelled } } });
      return { success: true, data: cancelled };
    },
  });
  await screen.getByRole("button", { name: "Cancel job" }).click();
  await screen.getByRole("button", { name: "Keep running" }).click();
  expect(sent("DELETE /admin/api/jobs/{id}")).toEqual([]);
  await screen.getByRole("button", { name: "Cancel job" }).click();
  await screen.getByRole("button", { name: "Cancel the job" }).click();
  await screen.getByText("Cancelled. 2 documents stay.").waitFor();
  await screen.locator(".badge", { hasText: "cancelled" }).waitFor();
  expect(await screen.getByRole("button", { name: "Cancel job" }).count()).toBe(0);
  expect(sent("DELETE /admin/api/jobs/{id}")).toHaveLength(1);
  expect(complaints).toEqual([]);
});

const SITE = { formats: ["links"] };
const asked = { body: { ...SITE, headers: { cookie: "***" } }, masked: ["headers.cookie"] };
const crawled = { body: { url: "https://example.com/", limit: 3, scrapeOptions: SITE }, masked: [] };

test.each([
  { kind: "batch_scrape", request: asked, field: "URLs, one per line" },
  { kind: "crawl", request: crawled, field: "URL" },
])("pages of a $kind that failed are tried again, and it is run again as it was", async (one) => {
  const ended = { ...running, kind: one.kind, state: "completed", endedAt: job.endedAt };
  const {
    page: screen,
    complaints,
    sent,
  } = await screens.visit(`/dashboard/jobs?id=${SCRAPE_ID}`, {
    ...RUNNING,
    "GET /admin/api/jobs/{id}": { success: true, data: { ...detail, job: ended, request: one.request } },
  });
  await screen.getByRole("button", { name: "Retry 1 failed" }).click();
  await screen.getByText("1 page is tried again.").waitFor();
  // What is masked is left out.
  const pages = one.kind === "crawl" ? SITE : { ...SITE, headers: {} };
  const [retried] = sent("POST /v2/batch/scrape");
  expect(retried?.body).toEqual({ ...pages, urls: ["https://example.com/gone"], origin: "dashboard" });

  await screen.getByRole("link", { name: "Run again with changes" }).click();
  const addresses = screen.getByLabel(one.field, { exact: true });
  const known = one.kind === "crawl" ? "https://example.com/" : PAGES.map(({ url }) => url).join("\n");
  await expect.poll(() => addresses.inputValue()).toBe(known);
  await screen.getByRole("button", { name: /^Run/ }).click();
  await screen.getByRole("link", { name: "Open job" }).waitFor();
  const again = one.kind === "crawl" ? sent("POST /v2/crawl")[0] : sent("POST /v2/batch/scrape")[1];
  const wanted = one.kind === "crawl" ? crawled.body : { ...pages, urls: PAGES.map(({ url }) => url) };
  expect(again?.body).toEqual({ ...wanted, origin: "dashboard" });
  expect(complaints).toEqual([]);
});

test("webhooks of a job are seen with what was answered, and sent again", async () => {
  const { page: screen, sent } = await screens.visit(`/dashboard/jobs?id=${SCRAPE_ID}`);
  await screen.getByRole("button", { name: /^Show batch_scrape\.page/ }).click();
  await screen.getByText("Unknown order").waitFor();
  await screen.keyboard.press("Escape");
  await screen.getByRole("button", { name: /^Resend batch_scrape\.page/ }).click();
  await screen.getByText("Resending.").waitFor();
  expect(sent("POST /admin/api/deliveries/{id}/resend")).toHaveLength(1);
});

test("a webhook that is due while its receiver is paused is pending until the end of the pause", async () => {
  const shown = example("GET /admin/api/jobs/{id}");
  const [delivery] = example("GET /admin/api/deliveries").data;
  const pausedUntil = "2099-05-02T10:00:00.000Z";
  const receiver = { ...shown.data.receiver, failuresInARow: 20, pausedUntil };
  const due = { ...delivery, state: "handed", nextAt: "2026-05-02T09:00:00.000Z" };
  const { page: screen } = await screens.visit(`/dashboard/jobs?id=${SCRAPE_ID}`, {
    "GET /admin/api/jobs/{id}": { ...shown, data: { ...shown.data, receiver } },
    "GET /admin/api/deliveries": { ...example("GET /admin/api/deliveries"), data: [due] },
  });
  const row = screen.getByRole("row", { name: /batch_scrape\.page/ });
  await row.getByText("pending", { exact: true }).waitFor();
  const time = /Paused until (.+) after/.exec(
    (await screen.getByText("Paused until").textContent()) ?? "",
  )?.[1];
  expect(await row.textContent()).toContain(`again at ${time}`);
});

test("what an agent does is seen step by step, with the requests of its pages, and then its answer", async () => {
  const agent = {
    ...running,
    kind: "agent",
    question: "Which harbours are open? <b>bold</b>",
    total: 1,
    completed: 1,
    failed: 0,
  };
  const ended = { ...agent, state: "completed", endedAt: agent.createdAt };
  const steps = example("GET /admin/api/jobs/{id}/steps");
  let isOver = false;
  const {
    page: screen,
    complaints,
    tell,
  } = await screens.visit("/dashboard/jobs", {
    "GET /admin/api/jobs": { success: true, data: [agent], cursor: null },
    "GET /admin/api/jobs/{id}": () => ({
      success: true,
      data: { ...detail, causes: [], job: isOver ? ended : agent },
    }),
    "GET /admin/api/jobs/{id}/steps": () =>
      isOver
        ? steps
        : { ...steps, data: { ...steps.data, answer: null, steps: steps.data.steps.slice(0, 1) } },
  });
  await screen.getByRole("link", { name: /^Which harbours are open\? <b>bold/ }).click();
  const rows = screen.getByRole("region", { name: "Steps" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await screen.getByRole("region", { name: "Answer" }).count()).toBe(0);
  expect(await screen.getByRole("link", { name: "Download Markdown" }).count()).toBe(0);
  isOver = true;
  tell("job", ended);
  await screen
    .getByRole("region", { name: "Answer" })
    .getByText(steps.data.answer?.text ?? "")
    .waitFor();
  await screen.locator(".badge", { hasText: "completed" }).waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);
  expect(await rows.getByRole("link", { name: "Request" }).first().getAttribute("href")).toMatch(
    /requests\?id=/,
  );
  expect(complaints).toEqual([]);
});
