import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { ServiceError } from "../../api/errors.ts";
import type { ScrapeData } from "../answer/schema.ts";
import type { Program } from "../../cli/program.ts";
import { addParseCommand } from "../../parse/command.ts";
import { addScrapeCommand } from "./command.ts";

const PICTURE = Buffer.from("a picture");

let folder: string;
let stdout: string;
let stderr: string;
/** Bodies of the requests, in the order of their start. */
let asked: Readonly<Record<string, unknown>>[];
/** What each address gives. */
let pages: Map<string, unknown>;

beforeEach(async () => {
  folder = testFolder();
  [stdout, stderr, asked] = ["", "", []];
  pages = new Map([["a.test", { markdown: "# Hello" }]]);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const scraper = {
  async scrape(body: Readonly<Record<string, unknown>>): Promise<ScrapeData> {
    asked.push(body);
    const given = pages.get(String(body["url"]));
    if (given === undefined || given instanceof Error) throw given ?? new Error("There is no such page.");
    return { metadata: { statusCode: 200 }, ...given } as unknown as ScrapeData;
  },
  async parse(path: string, options: Readonly<Record<string, unknown>>): Promise<ScrapeData> {
    asked.push({ path, ...options });
    return { metadata: { statusCode: 200 }, markdown: `read ${path}` } as unknown as ScrapeData;
  },
  openFile: async () => ({ bytes: PICTURE, contentType: "image/png" as const }),
  close: async () => undefined,
};

/** Runs a command line. @returns the exit code. @throws what stops it. */
async function run(...args: readonly string[]): Promise<number> {
  process.exitCode = 0;
  const cli = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  const createProgram = () => ({ openScraper: async () => scraper }) as unknown as Program;
  addScrapeCommand(cli, createProgram);
  addParseCommand(cli, createProgram);
  const [command = ""] = args;
  await cli.parseAsync(command === "parse" ? [...args] : ["scrape", ...args], { from: "user" });
  return process.exitCode;
}

const inFolder = (name: string) => join(folder, name);

describe("what is asked for", () => {
  test("is the main content as Markdown, without more being said", async () => {
    expect(await run("a.test")).toBe(0);
    expect([stdout, stderr]).toEqual(["# Hello\n", ""]);
    expect(asked).toEqual([{ url: "a.test", formats: ["markdown"], origin: "cli" }]);
  });

  test("is what the options say, in the words of the request", async () => {
    const actions = inFolder("actions.json");
    await writeFile(actions, '[{"type":"wait","milliseconds":5}]');
    const page = ["--wait-for", "500", "--timeout", "9000", "--mobile", "--actions", actions];
    const visitor = [
      "--header",
      "Accept-Language: de",
      "--header",
      "x-a:b:c",
      "--profile",
      "me",
      "--country",
      "de",
    ];
    const part = ["--full-page", "--include", "main, article", "--include", "h1", "--exclude", "nav"];
    const ways = ["--proxy", "basic", "--max-age", "0", "--lockdown", "--fast", "--verify-tls", "--keep-ads"];
    await run("a.test", ...page, ...visitor, ...part, ...ways, "--format", "markdown,html", "-f", "links");
    expect(asked).toEqual([
      {
        url: "a.test",
        formats: ["markdown", "html", "links"],
        origin: "cli",
        waitFor: 500,
        timeout: 9000,
        mobile: true,
        actions: [{ type: "wait", milliseconds: 5 }],
        headers: { "Accept-Language": "de", "x-a": "b:c" },
        profile: { name: "me" },
        location: { country: "de" },
        onlyMainContent: false,
        includeTags: ["main, article", "h1"],
        excludeTags: ["nav"],
        proxy: "basic",
        maxAge: 0,
        lockdown: true,
        fastMode: true,
        skipTlsVerification: false,
        blockAds: false,
      },
    ]);
  });

  test("may have further fields in a file, which options overrule", async () => {
    const file = inFolder("request.json");
    await writeFile(file, '{"formats":["html"],"removeBase64Images":false,"waitFor":1,"url":"b.test"}');
    pages.set("a.test", { html: "<p>" });
    await run("a.test", "--request", file, "--wait-for", "2");
    expect(asked).toEqual([
      { url: "a.test", formats: ["html"], removeBase64Images: false, waitFor: 2, origin: "cli" },
    ]);
    expect(stdout).toBe("<p>\n");
  });

  test.each([
    [["--wait-for", "soon"], /Expected a whole number/],
    [["--format", "markdown,html5"], /Allowed choices are .*markdown.*--question/],
    [["--proxy", "best"], /Allowed choices are basic, stealth, enhanced, auto/],
    [["--header", "nonsense"], /Expected a header of the form "Name: value"/],
    [["--actions", "/nowhere/actions.json"], /is not a valid JSON file: ENOENT/],
  ])("is refused when it is wrong: %j", async (args, why) => {
    await expect(run("a.test", ...args)).rejects.toThrow(why);
    expect(asked).toEqual([]);
  });

  test("may be a question, a query, a prompt or a schema, printed alone", async () => {
    const schema = inFolder("schema.json");
    await writeFile(schema, '{"type":"object","properties":{"name":{"type":"string"}}}');
    pages.set("a.test", { answer: "In June." });
    await run("a.test", "--question", "When?");
    expect(stdout).toBe("In June.\n");
    await run("a.test", "-f", "html", "--highlights", "price", "--prompt", "The price", "--schema", schema);
    const ofSchema = { type: "object", properties: { name: { type: "string" } } };
    expect(asked.map(({ formats }) => formats)).toEqual([
      [{ type: "question", question: "When?" }],
      [
        "html",
        { type: "highlights", query: "price" },
        { type: "json", prompt: "The price", schema: ofSchema },
      ],
    ]);
  });

  test("of a file goes to the service as it is, also what the service refuses", async () => {
    const file = inFolder("request.json");
    await writeFile(file, '{"formats":null}');
    pages.set("a.test", new Error("formats is wrong"));
    expect(await run("a.test", "--request", file)).toBe(1);
    expect(asked[0]?.["formats"]).toEqual([null]);
  });

  test("brings the Markdown along in which changes are found, and prints the changes alone", async () => {
    pages.set("a.test", { markdown: "x", changeTracking: { changeStatus: "new" } });
    await run("a.test", "-f", "changeTracking");
    expect(asked[0]?.["formats"]).toEqual(["changeTracking", "markdown"]);
    expect(JSON.parse(stdout)).toEqual({ changeStatus: "new" });
  });

  test("is explained in the words of the request's schema", () => {
    const cli = new Command();
    addScrapeCommand(cli, () => ({}) as Program);
    const help = cli.commands[0]?.helpInformation() ?? "";
    expect(help).toMatch(/--wait-for <milliseconds> +Extra delay before the capture/);
    expect(help).toMatch(/--mobile +Emulate a mobile device\./);
    expect(help).toMatch(/"markdown".*"screenshot"/s);
  });
});

describe("what is printed", () => {
  test("is one format that is no text as JSON of it alone", async () => {
    pages.set("a.test", { links: ["https://a.test/"] });
    await run("a.test", "--format", "links");
    expect(stdout).toBe('[\n  "https://a.test/"\n]\n');
  });

  test.each([["--format", "markdown,html"], ["--json"]])("is JSON of all with %s", async (...args) => {
    pages.set("a.test", { markdown: "x", html: "<p>x" });
    await run("a.test", ...args);
    expect(JSON.parse(stdout)).toEqual({ markdown: "x", html: "<p>x", metadata: { statusCode: 200 } });
  });

  test("is what an error page says, too, and its status is told", async () => {
    pages.set("a.test", { markdown: "Nothing here", metadata: { statusCode: 404 } });
    expect(await run("a.test")).toBe(0);
    expect([stdout, stderr]).toEqual(["Nothing here\n", "The page answered 404.\n"]);
  });

  test.each(["", "a\nb\n", '"quoted" é漢🐎'])("is the text %j byte for byte", async (markdown) => {
    pages.set("a.test", { markdown });
    await run("a.test");
    expect(stdout).toBe(`${markdown}\n`);
  });

  test("is nothing where the page gave nothing, which is a failure", async () => {
    const warnings = ["No browser.", "No model."];
    pages.set("a.test", { warning: warnings.join(" "), metadata: { warnings } });
    expect(await run("a.test", "--format", "html")).toBe(1);
    expect([stdout, stderr]).toEqual(["", "No browser.\nNo model.\nThe page has no html.\n"]);
  });

  test.each([
    [new ServiceError("SCRAPE_TIMEOUT"), /^The scrape operation timed out.*\(SCRAPE_TIMEOUT\)/s],
    [new Error("The scrape took too long."), /^The scrape took too long\.\n$/],
  ])("is nothing when it fails: %s", async (failure, told) => {
    pages.set("a.test", failure);
    expect(await run("a.test")).toBe(1);
    expect([stdout, stderr]).toEqual(["", expect.stringMatching(told)]);
  });

  test("counts the seconds where somebody looks, and leaves nothing of that behind", async () => {
    const wasTerminal = process.stderr.isTTY;
    process.stderr.isTTY = true;
    await run("a.test");
    process.stderr.isTTY = wasTerminal;
    expect(stderr).toMatch(/^\r\u001B\[KScraping a\.test, 0 s …\r\u001B\[K/);
    expect(stderr).toMatch(/\r\u001B\[K$/);
    expect(stdout).toBe("# Hello\n");
  });
});

describe("several addresses", () => {
  beforeEach(() => {
    pages.set("b.test", { markdown: "# Other" });
  });

  test("have their results under headings", async () => {
    expect(await run("a.test", "b.test")).toBe(0);
    expect(stdout).toBe("==> a.test <==\n# Hello\n==> b.test <==\n# Other\n");
  });

  test("have one line of JSON each", async () => {
    await run("a.test", "b.test", "--json");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as ScrapeData).markdown)).toEqual(["# Hello", "# Other"]);
  });

  test("are answered all but those that fail, which are named and make the exit code 1", async () => {
    expect(await run("a.test", "gone.test", "b.test")).toBe(1);
    expect(stdout).toBe("==> a.test <==\n# Hello\n==> b.test <==\n# Other\n");
    expect(stderr).toBe("gone.test: There is no such page.\n");
  });

  test("are counted where somebody looks", async () => {
    const wasTerminal = process.stderr.isTTY;
    process.stderr.isTTY = true;
    await run("a.test", "gone.test");
    process.stderr.isTTY = wasTerminal;
    expect(stderr).toContain("Scraped 2 of 2, 1 failed, 0 s …");
  });
});

describe("files", () => {
  test("take the result, in folders that are made", async () => {
    await run("a.test", "-o", inFolder("new/page.md"));
    expect(await readFile(inFolder("new/page.md"), "utf8")).toBe("# Hello\n");
    expect([stdout, stderr]).toEqual(["", `Saved ${inFolder("new/page.md")}\n`]);
  });

  test("have names of the addresses in a folder, each its own", async () => {
    const urls = [
      "https://me:secret@a.test/x?q=1",
      "http://a.test/x/q/1",
      "a.test/../../etc/passwd",
      "a.test",
    ];
    for (const url of urls) pages.set(url, { markdown: url });
    expect(await run(...urls, "--output", inFolder("pages"))).toBe(0);
    expect((await readdir(inFolder("pages"))).sort()).toEqual([
      "a.test-..-..-etc-passwd.md",
      "a.test-x-q-1-2.md",
      "a.test-x-q-1.md",
      "a.test.md",
    ]);
    expect(stdout).toBe("");
  });

  test.each([
    ["--format", "html", "a.test.html"],
    ["--format", "links", "a.test.json"],
    ["--format", "markdown,links", "a.test.json"],
  ])("end as their content wants it: %s %s", async (option, formats, name) => {
    pages.set("a.test", { markdown: "x", html: "x", links: [] });
    await run("a.test", option, formats, "-o", `${folder}/`);
    expect(await readdir(folder)).toEqual([name]);
  });

  test("are not taken for the folder that several results need", async () => {
    await writeFile(inFolder("page.md"), "mine");
    await expect(run("a.test", "b.test", "-o", inFolder("page.md"))).rejects.toThrow(/is a file\. Several/);
    expect(await readFile(inFolder("page.md"), "utf8")).toBe("mine");
  });
});

describe("F5 pictures", () => {
  beforeEach(() => {
    pages.set("a.test", { screenshot: "/v2/files/0.png?expires=1&signature=2", markdown: "# Hello" });
  });

  test("go to the file that is named", async () => {
    await run("a.test", "--format", "screenshot", "-o", inFolder("shot.png"));
    expect(await readFile(inFolder("shot.png"))).toEqual(PICTURE);
    expect([stdout, stderr]).toEqual(["", `Saved ${inFolder("shot.png")}\n`]);
  });

  test("lie beside the JSON of several formats, which names them", async () => {
    await run("a.test", "--format", "markdown,screenshot", "-o", inFolder("page.json"));
    expect(await readFile(inFolder("page.png"))).toEqual(PICTURE);
    const answer = JSON.parse(await readFile(inFolder("page.json"), "utf8")) as ScrapeData;
    expect(answer).toMatchObject({ screenshot: inFolder("page.png"), markdown: "# Hello" });
  });

  test("of actions are saved, too", async () => {
    const actions = { screenshots: ["/v2/files/1.png", "/v2/files/2.png"], pdfs: [], scrapes: [] };
    pages.set("a.test", { markdown: "# Hello", actions });
    await run("a.test", "--json", "-o", `${folder}/`);
    expect((await readdir(folder)).sort()).toEqual(["a.test-2.png", "a.test.json", "a.test.png"]);
  });
});

describe("files of this machine", () => {
  test("are read where a path is given instead of an address", async () => {
    const path = inFolder("report.pdf");
    await writeFile(path, "x");
    expect(await run(path, "a.test")).toBe(0);
    expect(asked).toEqual([
      { path, formats: ["markdown"], origin: "cli" },
      { url: "a.test", formats: ["markdown"], origin: "cli" },
    ]);
    expect(stdout).toContain(`==> ${path} <==\nread ${path}`);
  });

  test("are read by parse, one result each, with those in folders that can be read", async () => {
    await mkdir(inFolder("in/deep/.hidden"), { recursive: true });
    for (const name of ["b.docx", "a.PDF", "note.xyz", "deep/c.csv", "deep/n.md", "deep/.hidden/e.pdf"])
      await writeFile(inFolder(`in/${name}`), "x");
    const out = inFolder("out");
    expect(await run("parse", inFolder("in"), inFolder("in/a.PDF"), "-o", out)).toBe(0);
    expect(asked.map(({ path }) => String(path).slice(folder.length))).toEqual([
      "/in/a.PDF",
      "/in/b.docx",
      "/in/deep/c.csv",
      "/in/deep/n.md",
    ]);
    const names = ["a.PDF.md", "b.docx.md", "deep", "deep/c.csv.md", "deep/n.md.md"];
    expect((await readdir(out, { recursive: true })).toSorted()).toEqual(names);
    expect(stderr).toContain("1 file left out: note.xyz\n");
  });

  test("of any name are read when they are named", async () => {
    await writeFile(inFolder("note"), "x");
    expect(await run("parse", inFolder("note"))).toBe(0);
    expect(stdout).toBe(`read ${inFolder("note")}\n`);
  });

  test("that are missing, or not in a folder, are told", async () => {
    await expect(run("parse", inFolder("gone.pdf"))).rejects.toThrow(/gone\.pdf: no such file/);
    await expect(run("parse", folder)).rejects.toThrow("No file that can be read was found");
  });
});
