import { beforeAll, describe, expect, test } from "vitest";

import type {
  BrowserSessionAnswer,
  BrowserSessionsAnswer,
  SessionEndedAnswer,
  SessionRunAnswer,
  SessionViewAnswer,
} from "../packages/server/src/interact/operator.ts";
import { expectDeclared } from "./declared.ts";
import { ADMIN_KEY, KEYED, makeTeam, type TestTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld(KEYED);
let team: TestTeam;
let id = "";

beforeAll(async () => {
  team = await makeTeam(world, { credits: 1000 });
  const url = world.site.page("/shop", htmlPage("<h1>Shop</h1>", "<title>Shop</title>"));
  const { body } = await team.scrape({ url });
  const path = `/v2/scrape/${body.data.metadata.scrapeId}/interact`;
  const opened = await fetch(world.baseUrl + path, {
    method: "POST",
    headers: { ...team.headers, "content-type": "application/json" },
    body: JSON.stringify({ code: "1" }),
  });
  id = ((await opened.json()) as { readonly sessionId: string }).sessionId;
}, 60_000);

const headers = { authorization: `Bearer ${ADMIN_KEY}` };

async function ask<Answer>(line: string, body?: object, status = 200): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(world.baseUrl + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  expectDeclared({ method, path, status: response.status, body: answer });
  expect([line, response.status]).toEqual([line, status]);
  return answer;
}

interface Failure {
  readonly error: string;
}

describe("a browser session", () => {
  test("is listed with its page, its team and what it has cost so far, but without its tokens", async () => {
    const { data } = await ask<BrowserSessionsAnswer>(`GET /admin/api/sessions?team=${team.teamId}`);
    expect(data).toMatchObject([
      { id, teamId: team.teamId, state: "active", isHere: true, isPrompted: false, endReason: null },
    ]);
    expect(data[0]?.url).toMatch(/\/shop$/);
    expect(data[0]?.credits).toBeGreaterThan(0);
    const none = await ask<BrowserSessionsAnswer>("GET /admin/api/sessions?team=nobody");
    expect(none.data).toEqual([]);
    const ended = await ask<BrowserSessionsAnswer>("GET /admin/api/sessions?state=destroyed");
    expect(ended.data).toEqual([]);
    const { data: view } = await ask<SessionViewAnswer>(`POST /admin/api/sessions/${id}/view`, {});
    expect(JSON.stringify(data)).not.toContain(view.path.split("/").pop());
  });

  test("has a picture of what it shows", async () => {
    const response = await fetch(`${world.baseUrl}/admin/api/sessions/${id}/picture.jpg`, { headers });
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    expect(Buffer.from(await response.arrayBuffer()).readUInt16BE(0)).toBe(0xffd8);
    const { data } = await ask<BrowserSessionAnswer>(`GET /admin/api/sessions/${id}`);
    expect(data.viewers).toBe(0);
  });

  test("is seen, and taken over, by pages of their own", async () => {
    for (const isInteractive of [false, true]) {
      const { data } = await ask<SessionViewAnswer>(`POST /admin/api/sessions/${id}/view`, { isInteractive });
      const page = await (await fetch(world.baseUrl + data.path)).text();
      expect(page).toContain(`data-interactive="${isInteractive}"`);
    }
  });

  test("runs code as its team does", async () => {
    const { data } = await ask<SessionRunAnswer>(`POST /admin/api/sessions/${id}/run`, {
      code: "await page.title()",
    });
    expect(data).toMatchObject({ result: "Shop", exitCode: 0, error: null, output: null });
    const thrown = await ask<SessionRunAnswer>(`POST /admin/api/sessions/${id}/run`, {
      code: "throw new Error('no such thing')",
    });
    expect(thrown.data.exitCode).not.toBe(0);
    expect(thrown.data.error).toContain("no such thing");
  });

  test("tells that prompts need a language model", async () => {
    const { error } = await ask<Failure>(`POST /admin/api/sessions/${id}/run`, { prompt: "Go on." }, 503);
    expect(error).toContain("LLM_BASE_URL");
  });

  test.each([{}, { code: "1", prompt: "x" }, { code: "" }, { code: "1", language: "cobol" }])(
    "refuses %j",
    async (body) => {
      const { error } = await ask<Failure>(`POST /admin/api/sessions/${id}/run`, body, 400);
      expect(error).not.toBe("");
    },
  );

  test("is for the operator alone", async () => {
    for (const path of ["", `/${id}`, `/${id}/picture.jpg`]) {
      const response = await fetch(`${world.baseUrl}/admin/api/sessions${path}`, { headers: team.headers });
      expect(response.status).toBe(401);
    }
  });

  test("that is not there is told as such", async () => {
    for (const name of ["x", "019a1feb-0000-7000-8000-000000000004"]) {
      const { error } = await ask<Failure>(`GET /admin/api/sessions/${name}`, undefined, 404);
      expect(error).toContain("Session not found.");
      await ask<Failure>(`DELETE /admin/api/sessions/${name}`, undefined, 404);
      await ask<Failure>(`POST /admin/api/sessions/${name}/run`, { code: "1" }, 404);
    }
  });

  test("is ended and paid, is told to who looks, and is shown as ended for a day", async () => {
    const stream = await fetch(`${world.baseUrl}/admin/api/events`, { headers });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    const { data } = await ask<SessionEndedAnswer>(`DELETE /admin/api/sessions/${id}`);
    expect(data.credits).toBeGreaterThan(0);
    let told = "";
    while (!told.includes("event: session")) told += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(told).toContain(`data: {"id":"${id}","state":"destroyed"}`);
    const shown = await ask<BrowserSessionAnswer>(`GET /admin/api/sessions/${id}`);
    expect(shown.data).toMatchObject({
      state: "destroyed",
      isHere: false,
      endReason: "stopped",
      credits: data.credits,
    });
    await ask<Failure>(`POST /admin/api/sessions/${id}/run`, { code: "1" }, 410);
    await ask<Failure>(`POST /admin/api/sessions/${id}/view`, {}, 410);
  });
});
