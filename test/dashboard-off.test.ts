import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { ADMIN_KEY, KEYED, makeTeam, operate } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const SOURCES = join(import.meta.dirname, "..", "src");

/** Everything of the pages is behind these. */
const DOORS = ["admin/dashboard-routes.ts", "http/routes/dashboard.ts", "app/trials.ts"];

let world: World;

beforeAll(async () => {
  world = await openWorld({ ...KEYED, DASHBOARD: "off" });
});

afterAll(() => world.close());

test.each([
  "/dashboard",
  "/dashboard/requests",
  "/dashboard/assets/x.js",
  "/admin/session",
  "/admin/api/overview",
  "/admin/api/events",
])("%s is not there", async (path) => {
  const response = await fetch(world.baseUrl + path, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  expect(response.status).toBe(404);
});

test("what scripts ask for is, and no body is kept that nobody could look at", async () => {
  const team = await makeTeam(world);
  await team.scrape({ url: world.site.page("/page", htmlPage("<h1>Page</h1>")) });
  const { body } = await operate(world, `GET requests?team=${team.teamId}`);
  expect(body.data).toHaveLength(1);
  const id = String(body.data[0]?.["id"]);
  const found = await world.app.services.records.get(id);
  expect(found?.record).toMatchObject({ id, details: undefined });
});

test("nothing loads the pages but the one place that looks at the setting first", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const loads = files.flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), "utf8");
    return [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)]
      .map(([how = "", path = ""]) => ({ how, target: join(file, "..", path) }))
      .filter(({ target }) => DOORS.includes(target))
      .map(({ how, target }) => `${file} ${how.startsWith("import(") ? "may load" : "loads"} ${target}`);
  });
  expect(loads.toSorted()).toEqual(DOORS.map((door) => `app/dashboard.ts may load ${door}`).toSorted());
  const place = readFileSync(join(SOURCES, "app", "dashboard.ts"), "utf8");
  expect(place.indexOf("hasDashboard) return undefined")).toBeLessThan(place.indexOf("await import("));
});
