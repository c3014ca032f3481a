import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";

import { kinds } from "../../fetch/file-kinds/all.ts";
import { detectFile } from "../../fetch/file-kinds/detect.ts";
import { defineKind, type Kind } from "../../fetch/file-kinds/kind.ts";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { pageTables } from "./compute.ts";
import type { PageSource } from "./page.ts";
import { openPagesBy } from "./pages.ts";
import type { PageThreads } from "./threads.ts";

const LARGE_BYTES = 300 * 1024;

/** Runs a program of these lines in a process of its own, with the body as its input. */
function inChildProcess(program: string, body: Uint8Array, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ["-e", program], { signal }, (failure, stdout) => {
      if (signal.aborted) reject(signal.reason as Error);
      else if (failure) reject(new Error("The reader failed.", { cause: failure }));
      else resolve(stdout);
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(body);
  });
}

/** A kind that is read by another process, as PDF files are going to be. */
function scroll(program: string): Kind {
  return defineKind({
    name: "scroll",
    recognisedBy: { types: [], magic: { bytes: "SCROLL", type: "application/x-scroll" }, isBinary: true },
    inBrowser: "not-shown",
    isReadElsewhere: true,
    async read({ body }, { signal, stage }) {
      const title = await inChildProcess(program, body, signal);
      const html = `<a href="/${title}">${title}</a>`;
      return {
        markdown: () => `# ${title}`,
        html: () => html,
        metadata: () => ({ title }),
        tree: stage("parse", () => parseHtml(html)),
      };
    },
  });
}

/** Threads that must not be asked. */
const noThreads: PageThreads = {
  hasRoom: true,
  smallestBytes: 0,
  start: () => undefined,
  compute: () => Promise.reject(new Error("A thread was asked.")),
  close: async () => undefined,
};

async function open(kind: Kind, signal = new AbortController().signal) {
  const tables = { ...pageTables, kinds: [kind, ...kinds] };
  const body = Buffer.from("SCROLL of books ".padEnd(LARGE_BYTES));
  const url = "https://library.test/scroll";
  const source: PageSource = {
    capture: {
      requestedUrl: url,
      url,
      statusCode: 200,
      reason: "OK",
      headers: {},
      contentType: "application/octet-stream",
      body,
      engine: "http",
      proxyUsed: "basic",
      capturedAtMs: 0,
    },
    file: await detectFile(body, "application/octet-stream", url, tables.kinds),
    options: {
      onlyMainContent: true,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      removesConsent: true,
      parsers: [],
      languages: [],
      acceptsAnyFile: false,
    },
  };
  return openPagesBy({ ...tables, load: async () => tables }, noThreads).open(source, signal);
}

const READS =
  "let t='';process.stdin.on('data',(d)=>t+=d).on('end',()=>process.stdout.write(t.slice(7).trim()))";
const NEVER_ENDS = "setInterval(() => {}, 1000)";

describe("a kind that one object adds and another process reads", () => {
  test("gives its page all views, also those that it does not know of", async () => {
    const { page } = await open(scroll(READS));
    expect(await page.markdown()).toBe("# of books");
    expect(await page.html()).toBe('<a href="/of books">of books</a>');
    expect(await page.metadata()).toEqual({ title: "of books" });
    expect(await page.links()).toEqual(["https://library.test/of%20books"]);
    expect(await page.attributes([{ selector: "a", attribute: "href" }])).toEqual([
      { selector: "a", attribute: "href", values: ["/of books"] },
    ]);
    expect(await page.rawHtml()).toMatch(/^U0NST0xM/);
  });

  test("is read once for all views", async () => {
    let reads = 0;
    const { read, ...kind } = scroll(READS);
    const counted = { ...kind, read: (...given: Parameters<Kind["read"]>) => ((reads += 1), read(...given)) };
    const { page, timings } = await open(counted);
    await Promise.all([page.markdown(), page.html(), page.links()]);
    expect(reads).toBe(1);
    expect([...timings.keys()].sort()).toEqual(["html", "links", "markdown", "metadata", "parse", "read"]);
  });

  test("ends its process when the page is no longer wanted", async () => {
    const abort = new AbortController();
    const { page } = await open(scroll(NEVER_ENDS), abort.signal);
    const markdown = page.markdown();
    setTimeout(() => abort.abort(new Error("Nobody waits.")), 50);
    await expect(markdown).rejects.toThrow("Nobody waits.");
  });

  test("fails all views when it cannot be read", async () => {
    const { page } = await open(scroll("process.exit(1)"));
    await expect(page.markdown()).rejects.toThrow("The reader failed.");
    await expect(page.links()).rejects.toThrow("The reader failed.");
  });
});
