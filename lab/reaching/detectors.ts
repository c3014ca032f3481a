import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { htmlPage, openSite } from "../../test/site.ts";
import { openVisitorSite, type Shown } from "../../test/visitor-page.ts";
import { DETECTOR_PROGRAM } from "./detector-program.ts";

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly most: number;
}

/** What the detectors of a page found, by detector: names of the checks that were red. */
interface Found {
  readonly botd: readonly string[];
  readonly headless: readonly string[];
  readonly lies: readonly string[];
  readonly automation: readonly string[];
  readonly window: readonly string[];
}

/** Looks at the visitor of the service with detectors, and with a page that compares all its contexts and requests. */
export async function detectorFigures(service: string): Promise<readonly Figure[]> {
  const differences = { name: "one visit: contexts and requests that differ", most: 0 };
  const value = await differing(service);
  const site = await openSite();
  try {
    site.page("/detectors", htmlPage("<h1>Detectors</h1>", `<script type="module">${DETECTOR_PROGRAM}</script>`));
    serveScript(site, "/botd.js", botd());
    const { found, isWhole } = await detect(service, site.url("/detectors"));
    for (const [name, red] of Object.entries(found)) console.log(`${name.padEnd(11)} ${red.join(", ") || "-"}`);
    if (!isWhole) console.log("No whole browser is installed: the detectors looked at a headless shell, and are no targets.");
    const figures = isWhole ? targetsOf(found) : [];
    return [{ ...differences, value }, ...figures];
  } finally {
    await site.close();
  }
}

function targetsOf({ botd: bot, headless, lies, automation, window }: Found): readonly Figure[] {
  return [
    { name: "BotD: marks of a bot", value: bot.length, most: 0 },
    { name: "headless marks, as CreepJS counts", value: headless.length, most: 0 },
    { name: "lies, as CreepJS counts", value: lies.length, most: 0 },
    { name: "marks of automation, as rebrowser's detector", value: automation.length, most: 0 },
    { name: "marks of no window, as detect-headless", value: window.length, most: 1 },
  ];
}

/** How many of the contexts and requests of a visit show another visitor than the page. */
async function differing(service: string): Promise<number> {
  const site = await openVisitorSite();
  try {
    await scrape(service, site.url, [{ type: "wait", selector: "#told" }]);
    const { page, ...others } = site.contexts();
    if (!page) throw new Error("The page said nothing of its visitor.");
    const differs = ([, shown]: readonly [string, Shown]) => !isDeepStrictEqual(shown, page);
    const isOther = ([, shown]: readonly [string, Shown]) => shown["user-agent"] !== page["userAgent"];
    const found = [...Object.entries(others).filter(differs), ...Object.entries(site.requests()).filter(isOther)];
    for (const [name, shown] of found) console.log(`${name} shows another visitor: ${JSON.stringify(shown)}`);
    return found.length;
  } finally {
    await site.close();
  }
}

async function detect(service: string, url: string): Promise<{ readonly found: Found; readonly isWhole: boolean }> {
  const actions = [
    { type: "wait", selector: "#found" },
    { type: "executeJavascript", script: "document.querySelector('#found').textContent" },
  ];
  const { data } = await scrape(service, url, actions);
  const text = data.actions.javascriptReturns[0]?.value;
  if (text === undefined) throw new Error("The detectors did not answer.");
  return { found: JSON.parse(text) as Found, isWhole: data.warning === undefined };
}

interface Answer {
  readonly data: {
    readonly warning?: string;
    readonly actions: { readonly javascriptReturns: readonly { readonly value: string }[] };
  };
}

async function scrape(service: string, url: string, actions: readonly object[]): Promise<Answer> {
  const response = await fetch(`${service}/v2/scrape`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url, proxy: "enhanced", maxAge: 0, timeout: 120_000, actions }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

function serveScript(site: Awaited<ReturnType<typeof openSite>>, path: string, text: string): void {
  site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": "text/javascript" }).end(text);
  });
}

const BOTD = "@fingerprintjs/botd";
const BOTD_VERSION = "2.0.0";

/** Installed into a cache folder, so that `npm ci` of the service stays small. */
function botd(): string {
  const folder = join(homedir(), ".cache", "pergamon-lab", "detectors");
  const path = join(folder, "node_modules", BOTD, "dist/botd.esm.js");
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const how = ["install", "--ignore-scripts", "--no-save", "--no-package-lock", "--prefix", folder];
    execFileSync("npm", [...how, `${BOTD}@${BOTD_VERSION}`], { cwd: folder, stdio: "pipe" });
  }
  return readFileSync(path, "utf8");
}
