import { readdirSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startSoakService } from "./service-process.ts";
import { build } from "./built.ts";
import { ADMIN_KEY, KEYED, makeTeam, operate } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const SOURCES = join(import.meta.dirname, "../packages/server/src");

/** Everything of the pages is behind these. */
const DOORS = [
  "operator/dashboard-operations.ts",
  "http/routes/dashboard.ts",
  "operator/change-settings.ts",
  "operator/data/backup-service.ts",
];

const world = useWorld({ ...KEYED, DASHBOARD: "off" });

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
    const loaded = text.replaceAll(/^import type [^;]*;$/gm, "");
    return [...loaded.matchAll(/(?:from |import\()"(\.[^"]+)"/g)]
      .map(([how = "", path = ""]) => ({ how, target: join(file, "..", path) }))
      .filter(({ target }) => DOORS.includes(target))
      .map(({ how, target }) => `${file} ${how.startsWith("import(") ? "may load" : "loads"} ${target}`);
  });
  expect(loads.toSorted()).toEqual(DOORS.map((door) => `operator/dashboard.ts may load ${door}`).toSorted());
  const place = readFileSync(join(SOURCES, "operator", "dashboard.ts"), "utf8");
  expect(place.indexOf("hasDashboard) return undefined")).toBeLessThan(place.indexOf("await import("));
});

describe("a built service without any file of the pages", () => {
  const root = join(import.meta.dirname, "..");
  const ofPages = /^(?:web|chunk-(?:dashboard|dashboard-operations|change-settings|backup-service)-\w+\.js)$/;
  let folder = "";
  let kinds: ReadonlySet<string>;

  beforeAll(async () => {
    await build();
    folder = await mkdtemp(join(tmpdir(), "no-pages-"));
    const left: string[] = [];
    const filter = (source: string) => {
      if (!ofPages.test(basename(source))) return true;
      left.push(basename(source));
      return false;
    };
    await cp(join(root, "dist"), join(folder, "dist"), { recursive: true, filter });
    await copyFile(join(root, "package.json"), join(folder, "package.json"));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    kinds = new Set(left.map((name) => name.replace(/-\w+\.js$/, "")));
  }, 180_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (DASHBOARD: string) =>
    startSoakService({
      command: [join(folder, "dist", "main.js")],
      dataDir: join(folder, `data-${DASHBOARD}`),
      settings: { AUTH: "open", DASHBOARD },
    });

  test("works as long as they are off: none is imported or opened", async () => {
    expect(kinds).toEqual(
      new Set([
        "web",
        "chunk-dashboard",
        "chunk-dashboard-operations",
        "chunk-change-settings",
        "chunk-backup-service",
      ]),
    );
    const service = await start("off");
    const url = world.site.page("/plain", htmlPage("<h1>Plain</h1>"));
    const body = JSON.stringify({ url });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${service.url}/v2/scrape`, { method: "POST", headers, body });
    expect(await answer.text()).toContain("# Plain");
    expect((await fetch(`${service.url}/dashboard`)).status).toBe(404);
    await service.stop();
  }, 60_000);

  test("does not start when they are on", async () => {
    await expect(start("on")).rejects.toThrow(/chunk-dashboard/);
  }, 60_000);
});
