import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

/** Stands in for npm: notes where and what it was asked, and ends as it is told. */
const FAKE_NPM = `#!/bin/sh
echo "$PWD: npm $*" >> "$CALLS"
[ "$*" = "test" ] && echo "3 passed, 0 failed"
[ "$*" = "$FAILING" ] && printf 'Failed: a > b\\n  | because\\nnoise\\n' && exit 7
exit 0
`;

/** Stands in for programs that tests want, for who installs it and for who runs this: nothing is installed by a test. */
const FAKE_PROGRAMS = {
  tesseract: "#!/bin/sh\n",
  bwrap: "#!/bin/sh\n",
  ffmpeg: "#!/bin/sh\n",
  psql: "#!/bin/sh\n",
  pgbouncer: "#!/bin/sh\n",
  moto_server: "#!/bin/sh\n",
  id: "#!/bin/sh\necho 0\n",
  "apt-get": '#!/bin/sh\necho "apt-get $*" >> "$CALLS"\nexit 100\n',
};

let folder = "";

beforeEach(async () => {
  folder = testFolder();
  await cp(join(REPOSITORY, ".ci"), join(folder, ".ci"), { recursive: true });
  await mkdir(join(folder, "programs"));
  for (const [name, program] of Object.entries({ ...FAKE_PROGRAMS, npm: FAKE_NPM })) {
    await writeFile(join(folder, "programs", name), program);
    await chmod(join(folder, "programs", name), 0o755);
  }
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly calls: readonly string[];
}

/** Runs `.ci/run` from elsewhere; `failing` is what npm is asked and fails at. */
async function run(
  failing = "",
  path = `${join(folder, "programs")}:/usr/bin:/bin`,
  clients = "/clients",
): Promise<Outcome> {
  const calls = join(folder, "calls.txt");
  const env = { PATH: path, CALLS: calls, FAILING: failing, OFFICIAL_CLIENTS: clients };
  const ended = await new Promise<Pick<Outcome, "code" | "stdout">>((resolve) => {
    execFile(join(folder, ".ci/run"), { env, cwd: tmpdir() }, (error, stdout) => {
      resolve({ code: error ? Number(error.code) : 0, stdout });
    });
  });
  return { ...ended, calls: (await readFile(calls, "utf8")).trimEnd().split("\n") };
}

test("checks in the checkout, tests, and ends with the result", async () => {
  expect(await run()).toEqual({
    code: 0,
    stdout: "3 passed, 0 failed\n",
    calls: [`${folder}: npm run check`, `${folder}: npm test`],
  });
});

test("fails when the check fails", async () => {
  const { code, calls } = await run("run check");
  expect(code).toBe(7);
  expect(calls).toEqual([`${folder}: npm run check`]);
});

test("fails when the tests fail, and ends with their names and the result", async () => {
  const { code, stdout } = await run("test");
  expect(code).toBe(7);
  expect(stdout).toMatch(/noise\n3 passed, 0 failed\nFailed: a > b\n {2}\| because\n$/);
});

test.each([
  ["tesseract", "tesseract-ocr"],
  ["bwrap", "bubblewrap"],
  ["ffmpeg", "ffmpeg"],
  ["psql", "postgresql"],
  ["pgbouncer", "pgbouncer"],
])(
  "installs %s where it is missing, and goes on without it when that fails",
  async (program, packageName) => {
    await rm(join(folder, "programs", program));
    // Only the folder of programs is looked at: this machine may have it.
    for (const name of ["awk", "bash", "dirname", "grep", "mktemp", "rm", "tee"])
      await symlink(`/usr/bin/${name}`, join(folder, "programs", name));
    const { code, calls } = await run("", join(folder, "programs"));
    expect(code).toBe(0);
    expect(calls[0]).toMatch(new RegExp(`^apt-get install .*${packageName}`));
    expect(calls).toHaveLength(3);
  },
);

test.each([
  ["installs the official clients, and tests with them", 0],
  ["goes on without the official clients when they cannot be installed", 1],
])("%s", async (_what, exitCode) => {
  await mkdir(join(folder, "scripts"));
  const script = join(folder, "scripts/install-official-clients.sh");
  await writeFile(script, `#!/bin/sh\necho "clients in $1" >> "$CALLS"\nexit ${exitCode}\n`);
  await chmod(script, 0o755);
  const npm = `#!/bin/sh\necho "npm $* with \${OFFICIAL_CLIENTS:-none}" >> "$CALLS"\n`;
  await writeFile(join(folder, "programs/npm"), npm);
  const { code, calls } = await run("", undefined, "");
  expect(code).toBe(0);
  const [, clients = ""] = /^clients in (.+)$/m.exec(calls.join("\n")) ?? [];
  expect(clients).not.toBe("");
  expect(calls).toContain(`npm test with ${exitCode === 0 ? clients : "none"}`);
});

test("no test that fails is run a second time", async () => {
  const folders = ["packages", "test"].map(async (name) =>
    (await readdir(join(REPOSITORY, name), { recursive: true })).map((path) => join(name, path)),
  );
  const tests = (await Promise.all(folders))
    .flat()
    .filter((path) => /\.(?:test|suite)\.tsx?$/.test(path) && !path.includes("node_modules/"));
  expect(tests.length).toBeGreaterThan(100);
  const texts = await Promise.all(
    ["vitest.config.ts", ...tests].map((path) => readFile(join(REPOSITORY, path), "utf8")),
  );
  expect(texts.filter((text) => /\bretry: ?[1-9{]|--retry[ =]/.test(text))).toEqual([]);
});
