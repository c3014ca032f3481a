import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

import { parts } from "../packages/server/src/config/all.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { openMetrics } from "../packages/server/src/operator/health/metrics.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
/** `npm run release` brings one and names it; without one, the chart is not tested here. */
const HELM = process.env["HELM"] ?? "helm";
const CHART = join(REPOSITORY, "deploy/helm/pergamon");
const SETTINGS = new Set(Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape)));
const ROLES = ["api", "work"];
/** What only the operator knows. */
const SECRETS = {
  SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
  ADMIN_KEY: "a".repeat(24),
  NODE_SECRET: "n".repeat(24),
};

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly aliases?: readonly string[] }>>;
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: object;
  readonly volumes: object;
}

function networksOf({ networks = [] }: Service): readonly string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

function textOf(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}

describe("nodes of compose.yaml", () => {
  const { services, networks } = parse(textOf("compose.yaml"), { merge: true }) as Compose;
  const example = textOf("deploy/cluster/example.env");
  const nodes = ["node-a", "node-b"].map((name) => services[name] as Service);

  test("starts nodes with settings that there are, and that are right together", () => {
    for (const { environment = {} } of nodes) {
      expect(Object.keys(environment).filter((name) => !SETTINGS.has(name))).toEqual([]);
      const filled = Object.fromEntries(
        Object.entries(environment).map(([name, text]) => [
          name,
          name in SECRETS
            ? SECRETS[name as keyof typeof SECRETS]
            : text.replaceAll(/\$\{\w+-\}/g, "abcdef0123456789"),
        ]),
      );
      const { nodes: own, server } = readConfig({ ...filled, HOST: "0.0.0.0", PORT: "3002" });
      expect(own.url).toMatch(/^http:\/\/node-[ab]\.back:3100$/);
      expect(server.drain.delayMs).toBe(10_000);
    }
  });

  test("lets nodes find each other in a network that only they and their stores have", () => {
    for (const { networks: joined = {}, environment = {} } of nodes) {
      const [aliases] = Object.entries(joined).flatMap(([name, { aliases: all = [] }]) =>
        name === "back" ? [all] : [],
      );
      expect(aliases).toContain(new URL(environment["NODE_URL"] ?? "").hostname);
    }
    expect(networksOf(services["balancer"] ?? {})).toEqual(["front"]);
  });

  test("lets nodes drain before they are ended", () => {
    for (const { environment = {}, stop_grace_period = "" } of nodes) {
      const { DRAIN_DELAY_SECONDS, DRAIN_LIMIT_SECONDS } = environment;
      const drainSeconds = Number(DRAIN_DELAY_SECONDS) + Number(DRAIN_LIMIT_SECONDS);
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(drainSeconds);
    }
  });

  test("waits for what has a health check, shows nothing but one process or the balancer, and names only networks that there are", () => {
    for (const [name, service] of Object.entries(services)) {
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        const isChecked = services[needed]?.healthcheck !== undefined;
        expect([needed, isChecked]).toEqual([needed, condition === "service_healthy"]);
      }
      expect(Object.keys(networks)).toEqual(expect.arrayContaining([...networksOf(service)]));
      expect([name, service.ports]).toEqual([
        name,
        ["balancer", "pergamon"].includes(name) ? ["127.0.0.1:3002:3002"] : undefined,
      ]);
    }
  });

  test("is told every secret that it asks for by the example", () => {
    const asked = [...textOf("compose.yaml").matchAll(/\$\{(\w+)-\}/g)].map(([, name]) => name);
    const told = [...example.matchAll(/^(\w+)=$/gm)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(told));
  });

  test("has a balancer that asks every node whether it is ready", () => {
    const caddy = textOf("deploy/cluster/Caddyfile");
    expect(caddy).toContain("reverse_proxy node-a:3002 node-b:3002");
    expect(caddy).toMatch(/health_uri \/readyz\n/);
    const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)`).exec(caddy)?.[1]);
    const noticeSeconds = (seconds("health_interval") + seconds("health_timeout")) * seconds("health_fails");
    expect(Number(nodes[0]?.environment?.["DRAIN_DELAY_SECONDS"])).toBeGreaterThanOrEqual(noticeSeconds);
  });
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold: number;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: { readonly matchLabels: object };
    readonly scaleTargetRef: { readonly name: string };
    readonly triggers: readonly { readonly metadata: { readonly query?: string } }[];
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value?: string }[];
          readonly envFrom: readonly object[];
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly readinessProbe: Probe;
          readonly livenessProbe: Probe;
          readonly startupProbe: Probe;
        }[];
      };
    };
  };
}

const hasHelm = spawnSync(HELM, ["version"]).status === 0;

describe.skipIf(!hasHelm)("the chart for Kubernetes, as a cluster", () => {
  const values = ["--values", join(CHART, "ci/all-values.yaml")];
  const settingsOf = ["--namespace=pergamon", "--kube-version=1.32.0"];
  const render = (...more: readonly string[]) =>
    parseAllDocuments(
      execFileSync(HELM, ["template", "pergamon", CHART, ...settingsOf, ...more], { encoding: "utf8" }),
    ).map((one) => one.toJS() as Manifest);
  // Is read for the names of tests that are left out, too.
  const manifests = hasHelm ? render(...values) : [];
  const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);
  const settings = ofKind("ConfigMap")[0]?.data ?? {};
  const deployments = ofKind("Deployment");

  test("is one process with a volume by default, and needs a secret for more", () => {
    const kinds = render().map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["ConfigMap", "NetworkPolicy", "Service", "StatefulSet"]));
    expect(() => render("--set=cluster=true")).toThrow("existingSecret");
    expect(() => render("--set=settings.lower=1")).toThrow("settings");
  });

  test("has a deployment for each role, with settings that there are and are right together", () => {
    const roles = deployments.map(({ spec }) => {
      const [container] = spec.template.spec.containers;
      const own = Object.fromEntries(
        (container?.env ?? []).map(({ name, value = "10.1.2.3" }) => [name, value]),
      );
      const { POD_IP = "", ...environment } = own;
      const all = { ...settings, ...environment };
      expect(Object.keys(all).filter((name) => !SETTINGS.has(name))).toEqual([]);
      const { nodes } = readConfig({
        ...all,
        ...SECRETS,
        NODE_URL: all["NODE_URL"]?.replace("$(POD_IP)", POD_IP) ?? "",
        DATABASE_URL: "postgres://pergamon:secret@database/pergamon",
        BLOBS_URL: "s3://key:secret@store/bucket",
      });
      expect(container?.ports.map(({ containerPort }) => containerPort)).toEqual([
        3002,
        Number(new URL(nodes.url ?? "").port),
      ]);
      expect(container?.envFrom).toContainEqual({ secretRef: { name: "pergamon" } });
      return [...nodes.roles].join();
    });
    expect(new Set(roles)).toEqual(new Set(ROLES));
  });

  test("probes what nodes of every role answer, and lets them drain", () => {
    const drainSeconds = Number(settings["DRAIN_DELAY_SECONDS"]) + Number(settings["DRAIN_LIMIT_SECONDS"]);
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      const [container] = containers;
      if (!container) throw new Error("There is no container.");
      const { readinessProbe, livenessProbe, startupProbe, ports } = container;
      expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds);
      expect(readinessProbe.httpGet.path).toBe("/readyz");
      for (const { httpGet } of [livenessProbe, startupProbe]) expect(httpGet.path).toBe("/healthz");
      for (const { httpGet } of [livenessProbe, startupProbe, readinessProbe])
        expect(ports.map(({ name }) => name)).toContain(httpGet.port);
      const { periodSeconds, timeoutSeconds = 1, failureThreshold } = readinessProbe;
      expect((periodSeconds + timeoutSeconds) * failureThreshold).toBeLessThan(
        Number(settings["DRAIN_DELAY_SECONDS"]),
      );
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    }
  });

  test("keeps no secret, has a budget for each role, and scales on figures that there are", async () => {
    expect(ofKind("Secret")).toEqual([]);
    expect(Object.keys(settings).filter((name) => /SECRET|KEY|_URL$/.test(name))).toEqual(["PUBLIC_URL"]);
    expect(ofKind("PodDisruptionBudget")).toHaveLength(ROLES.length);
    const metrics = openMetrics({
      fetching: () => 0,
      waiting: () => 0,
      limit: () => 1,
      dueJobs: async () => ({ count: 0, longestMs: 0 }),
    });
    const { body } = await metrics.text();
    const scaled = ofKind("ScaledObject");
    const names = deployments.map(({ metadata }) => metadata.name);
    expect(new Set(scaled.map(({ spec }) => spec.scaleTargetRef.name))).toEqual(new Set(names));
    for (const { spec } of scaled)
      for (const { metadata } of spec.triggers)
        for (const [name] of (metadata.query ?? "").matchAll(/pergamon_\w+/g))
          expect(body).toContain(`# TYPE ${name} gauge`);
  });
});

interface RuleFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: object;
      readonly annotations: object;
    }[];
  }[];
}

describe("rules for Prometheus", () => {
  const { groups } = parse(textOf("deploy/prometheus/alerts.yaml")) as RuleFile;
  const rules = groups.flatMap((group) => group.rules);

  test("ask for figures and labels that /metrics has", async () => {
    const metrics = openMetrics({
      fetching: () => 0,
      waiting: () => 0,
      dueJobs: async () => ({ count: 0, longestMs: 0 }),
      parts: () => [{ part: "Browser", target: "", failuresInRow: 0 }],
    });
    metrics.countScrape({ result: "ok", cacheState: "miss" });
    metrics.observeRequest({ method: "GET", route: "/", status: 200, durationMs: 1 });
    metrics.observePause({ cause: "other", durationMs: 100 });
    const { body } = await metrics.text();
    for (const { expr } of rules) {
      const groupedBy = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(", "));
      for (const [, name = "", matched = ""] of expr.matchAll(/(pergamon_\w+)(?:\{([^}]*)\})?/g)) {
        const labels = [...matched.matchAll(/(\w+)[!=]/g)].map(([, label = ""]) => label);
        const line = body.split("\n").find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `));
        expect([name, line]).toEqual([name, expect.any(String)]);
        // Prometheus itself adds the instance.
        for (const label of [...groupedBy, ...labels].filter((one) => one !== "instance"))
          expect(line).toContain(`${label}="`);
      }
    }
  });

  test("have names of their own, a severity and words", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(labels).toMatchObject({ severity: expect.stringMatching(/^(?:warning|critical)$/) });
      expect(annotations).toMatchObject({ summary: expect.any(String), description: expect.any(String) });
    }
  });
});
