import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { parts } from "../packages/server/src/config/all.ts";
import { readConfig } from "../packages/server/src/config/config.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SETTINGS = new Set(Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape)));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const json = (path: string) => JSON.parse(read(path)) as Readonly<Record<string, unknown>>;
const yaml = (path: string) => parse(read(path), { merge: true }) as Readonly<Record<string, never>>;
const { name, version, config, mcpName } = json("package.json") as {
  readonly name: string;
  readonly version: string;
  readonly mcpName: string;
  readonly config: { readonly image: string };
};

/** Template of a shop → its settings, each as the shop fills them in. */
const TEMPLATES: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  "coolify.yaml": () => {
    const { services } = yaml("deploy/templates/coolify.yaml") as unknown as {
      readonly services: { readonly pergamon: { readonly environment: readonly string[] } };
    };
    const pairs = services.pergamon.environment.map((line) => line.split("="));
    return Object.fromEntries(pairs.filter(([key = ""]) => !key.startsWith("SERVICE_")));
  },
  "dokploy/docker-compose.yml": () => environmentOf("dokploy/docker-compose.yml", "pergamon"),
  "caprover.yml": () => environmentOf("caprover.yml", "$$cap_appname"),
  "casaos.yaml": () => environmentOf("casaos.yaml", "pergamon"),
  "render.yaml": () => {
    const { services } = yaml("deploy/templates/render.yaml") as unknown as {
      readonly services: readonly [{ readonly envVars: readonly { key: string; value?: string }[] }];
    };
    return Object.fromEntries(services[0].envVars.map(({ key, value = "" }) => [key, value]));
  },
  "unraid.xml": () =>
    Object.fromEntries(
      Array.from(
        read("deploy/templates/unraid.xml").matchAll(/Target="([A-Z_]+)" Default="([^"|]*)/g),
        ([, key = "", value = ""]) => [key, value],
      ),
    ),
};

function environmentOf(file: string, service: string): Readonly<Record<string, string>> {
  const { services } = yaml(`deploy/templates/${file}`) as unknown as {
    readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>;
  };
  return services[service]?.environment ?? {};
}

/** What a shop makes of its own variables. */
function filledIn(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own: Readonly<Record<string, string>> = {
    ADMIN_KEY: "k".repeat(48),
    PUBLIC_URL: "https://scrape.example.org",
  };
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, own[key] ?? value]));
}

describe.each(Object.entries(TEMPLATES))("the template %s", (file, settingsOf) => {
  test("starts the published image with settings that there are, and keeps its data", () => {
    const settings = settingsOf();
    expect(Object.keys(settings).length).toBeGreaterThan(0);
    expect(Object.keys(settings).filter((key) => !SETTINGS.has(key))).toEqual([]);
    expect(readConfig({ HOST: "0.0.0.0", ...filledIn(settings) }).server.port).toBe(3002);
    const text = read(`deploy/templates/${file}`);
    expect(text).toMatch(new RegExp(`${config.image}:(?:${version}|\\$\\$cap_pergamon_version)`));
    expect(text).toContain("3002");
    expect(text).toContain("/data");
  });
});

test("Dokploy and CapRover ask for no variable that nobody fills in", () => {
  const caprover = read("deploy/templates/caprover.yml");
  const asked = new Set([...caprover.matchAll(/\$\$cap_(?!gen_)\w+/g)].map(([variable]) => variable));
  const told = [...caprover.matchAll(/- id: (\$\$cap_\w+)/g)].map(([, variable]) => variable);
  expect(asked).toEqual(new Set([...told, "$$cap_appname", "$$cap_root_domain"]));
  const toml = read("deploy/templates/dokploy/template.toml");
  for (const [, variable] of read("deploy/templates/dokploy/docker-compose.yml").matchAll(/\$\{(\w+)\}/g))
    expect(toml).toContain(`\n${variable} = `);
});

test("names and versions are those of package.json, wherever a program reads them", () => {
  const chart = yaml("deploy/helm/pergamon/Chart.yaml");
  expect([chart["version"], chart["appVersion"]]).toEqual([version, version]);
  expect(yaml("deploy/helm/pergamon/values.yaml")["image"]).toMatchObject({ repository: config.image });
  expect(read("compose.yaml")).toContain(`image: ${config.image}:\${PERGAMON_VERSION:-${version}}`);
  const server = json("server.json");
  expect(server).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
  expect(String(server["description"]).length).toBeLessThanOrEqual(100);
  for (const file of ["plugin/.claude-plugin/plugin.json", "plugin/gemini-extension.json"])
    expect(json(file)).toMatchObject({ name: "pergamon", version });
  for (const file of ["plugin/.mcp.json", "plugin/gemini-extension.json"])
    expect(json(file)).toMatchObject({ mcpServers: { pergamon: { args: ["--yes", name, "mcp"] } } });
  for (const library of ["html", "documents"])
    expect(json(`packages/${library}/package.json`)).toMatchObject({ version });
});

test("the example of settings names settings that there are, and that are right once their lines count", () => {
  const lines = read(".env.example").replaceAll(/^# (?=[A-Z_]+=)/gm, "");
  const settings = parseEnv(lines);
  expect(Object.keys(settings).length).toBeGreaterThan(8);
  expect(Object.keys(settings).filter((key) => !SETTINGS.has(key))).toEqual([]);
  const { EXTRA_CA_CERTS: _needsFile, SEARCH_URL: last, ...rest } = settings;
  expect(last).toBe("brave://KEY@");
  expect(readConfig(rest).server.publicUrl).toContain("https://scrape.example.org");
});

test("the skill for agents has the head that programs read, and the plugin what its list names", () => {
  const [, head = ""] = /^---\n(.*?)\n---\n/s.exec(read("plugin/skills/pergamon/SKILL.md")) ?? [];
  const { name: skill, description } = parse(head) as { readonly name: string; readonly description: string };
  expect(skill).toBe("pergamon");
  expect(description.length).toBeLessThanOrEqual(1024);
  const { plugins } = json(".claude-plugin/marketplace.json") as unknown as {
    readonly plugins: readonly { readonly source: string }[];
  };
  for (const { source } of plugins)
    expect(existsSync(join(ROOT, source, ".claude-plugin/plugin.json"))).toBe(true);
});

test("the list of pages for language models leads to pages that are there", () => {
  const pages = [...read("llms.txt").matchAll(/\/blob\/main\/([^)#]+)/g)].map(([, path = ""]) => path);
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
