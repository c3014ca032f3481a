import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, goProgram, manifest, pythonProgram, ROOT, run, Skip } from "./tools.mjs";

const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7";
const KUBERNETES = "1.32";
const HELM = "helm.sh/helm/v3/cmd/helm@v3.18.4";

/** Everything that an install of the package brings, by npm's own account, in CycloneDX. */
export async function billOfMaterials({ out, work, note }) {
  const { name, version, dependencies } = manifest();
  const tarball = readdirSync(out).find((file) => file === `${fileNameOf(name)}-${version}.tgz`);
  if (!tarball) throw new Skip("the npm package is not among the parts");
  const place = join(work, "bill");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "installed", version }));
  await run("npm", ["install", "--package-lock-only", "--ignore-scripts", join(out, tarball)], { cwd: place });
  const text = await run("npm", ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"], { cwd: place });
  const { bomFormat, specVersion, components } = JSON.parse(text);
  expect(bomFormat === "CycloneDX", "npm wrote another kind of bill.");
  const listed = new Set(components.map(({ group, name: own }) => (group ? `${group}/${own}` : own)));
  const missing = [name, ...Object.keys(dependencies)].filter((one) => !listed.has(one));
  expect(missing.length === 0, `The bill lacks ${missing.join(", ")}.`);
  const file = join(out, `${fileNameOf(name)}-${version}.cdx.json`);
  writeFileSync(file, text);
  note("checked", `CycloneDX ${specVersion}, ${components.length} components, every dependency of package.json among them`);
  return { file };
}

/** As npm names the tarball of a package. */
function fileNameOf(name) {
  return name.replace("@", "").replace("/", "-");
}

/** The workflow that publishes, as far as a linter can judge it. */
export async function workflow({ note }) {
  const program = await goProgram("actionlint", ACTIONLINT);
  const folder = join(ROOT, ".github/workflows");
  for (const name of readdirSync(folder)) await run(program, ["-no-color", "-shellcheck=", join(folder, name)]);
  note("checked", "actionlint finds nothing in .github/workflows; not tried: a run on GitHub");
  return { file: ".github/workflows/release.yml" };
}

/** The chart for Kubernetes, packed as Helm stores it, and what it makes held against the schemas of Kubernetes. */
export async function chart({ out, work, note }) {
  const folder = join(ROOT, "deploy/helm/pergamon");
  const helm = await goProgram("helm", HELM);
  await run(helm, ["lint", "--strict", folder]);
  await run("npx", ["vitest", "run", "test/cluster-files.test.ts"], { cwd: ROOT, env: { ...process.env, HELM: helm } });
  note("checked", "helm lint --strict; its roles, probes, times and settings by test/cluster-files.test.ts");
  await run(helm, ["package", folder, "--destination", out]);
  try {
    const validate = await pythonProgram("kubernetes-validate");
    for (const [name, chosen] of [["one", []], ["all", ["--values", join(folder, "ci/all-values.yaml")]]]) {
      const file = join(work, `${name}.yaml`);
      const version = ["--kube-version", `${KUBERNETES}.0`];
      writeFileSync(file, await run(helm, ["template", "pergamon", folder, ...version, ...chosen]));
      await run(validate, ["--strict", "--kubernetes-version", KUBERNETES, file]);
    }
    note("checked", `strictly by the schemas of Kubernetes ${KUBERNETES}, but for KEDA's; not tried: a cluster`);
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    note("SKIPPED", error.message);
  }
  return { file: join(out, `pergamon-${manifest().version}.tgz`) };
}

/** SHA-256 of everything in the folder, in the form of sha256sum, and read back. */
export async function checksums({ out, note }) {
  const names = readdirSync(out).filter((name) => name !== "SHA256SUMS");
  const lines = names.map((name) => `${createHash("sha256").update(readFileSync(join(out, name))).digest("hex")}  ${name}\n`);
  const file = join(out, "SHA256SUMS");
  writeFileSync(file, lines.join(""));
  await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: out });
  note("checked", `sha256sum --check: ${names.length} files`);
  return { file };
}
