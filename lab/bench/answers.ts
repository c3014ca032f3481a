import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { needSet } from "../sets.ts";
import { startFixture } from "./fixture.ts";
import { buildOfCommit } from "./pages/commit-build.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";
import { spreadSample } from "./sample.ts";

const AT_ONCE = 4;
const FORMATS = ["markdown", "html", "links", "summary", "images"];
/** How many names of answers that differ are printed. */
const NAMED = 50;

interface Asked {
  readonly name: string;
  ask(service: string): Promise<Response>;
}

type Kind = "pages" | "documents";

/**
 * Asks this build and that of another commit for every labelled page or document, and compares the answers by hash.
 * @throws when the other commit cannot be built, or LAB_DATA has none of them.
 */
export async function benchAnswers(kind: Kind, against = "HEAD~1"): Promise<readonly Figure[]> {
  const pages = spreadSample(Infinity) ?? {};
  const fixture = await startFixture(pages);
  const commands = [["dist/main.js"], [join(buildOfCommit(against), "dist/main.js")]];
  const services = await Promise.all(commands.map((command) => startService({ LOG_LEVEL: "error" }, command)));
  try {
    const all =
      kind === "pages"
        ? Object.keys(pages).map((path) => pageAt(fixture.url, path))
        : documentsOf(join(needSet("documents"), "data/dev/files"));
    const [ours = [], others = []] = await Promise.all(services.map(({ url }) => digestsOf(all, url)));
    const differing = all.filter((_, index) => ours[index] !== others[index]).map(({ name }) => name);
    for (const name of differing.slice(0, NAMED)) console.warn(`differs: ${name}`);
    return [
      {
        name: `labelled ${kind} whose answers are those of ${against}`,
        value: `${all.length - differing.length} of ${all.length}`,
        limit: "all",
        isMet: differing.length === 0 && all.length > 0,
      },
    ];
  } finally {
    await Promise.all([...services.map((service) => service.stop()), fixture.stop()]);
  }
}

function pageAt(origin: string, path: string): Asked {
  const body = JSON.stringify({ url: origin + path, formats: FORMATS, maxAge: 0, fastMode: true, timeout: 120_000 });
  const headers = { "content-type": "application/json" };
  return {
    name: path,
    ask: (service) => fetch(`${service}/v2/scrape`, { method: "POST", headers, body }),
  };
}

function documentsOf(folder: string): readonly Asked[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.map((name) => ({
    name,
    ask(service) {
      const form = new FormData();
      form.set("file", new Blob([readFileSync(join(folder, name))]), basename(name));
      form.set("options", JSON.stringify({ formats: ["markdown"], timeout: 300_000 }));
      return fetch(`${service}/v2/parse`, { method: "POST", body: form });
    },
  }));
}

/** Of each answer, in the order of what was asked: without what is of one request. */
async function digestsOf(all: readonly Asked[], service: string): Promise<readonly string[]> {
  const digests: string[] = [];
  let next = 0;
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let index = next++; index < all.length; index = next++) {
      const response = await all[index]?.ask(service);
      const { data, code } = (await response?.json()) as { data?: Record<string, unknown>; code?: string };
      const parts = [response?.status, code, ...FORMATS.map((format) => data?.[format])];
      digests[index] = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    }
  });
  await Promise.all(callers);
  return digests;
}
