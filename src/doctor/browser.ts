import { isRoot, NOBODY } from "../platform/browser/launch/account.ts";
import { ageInMonths, MAX_AGE_MONTHS } from "../platform/browser/launch/browser-age.ts";
import { type FoundBrowser, findBrowser } from "../platform/browser/launch/find.ts";
import { isOpenTo } from "../platform/browser/launch/launch.ts";
import type { DoctorSettings, Finding } from "./finding.ts";

/** Which browser is used, how old it is, and what it lacks. */
export async function checkBrowser(settings: DoctorSettings, signal?: AbortSignal): Promise<Finding> {
  const { browserPath, pathVariable, cacheDir } = settings;
  const { browser, tried } = await findBrowser({
    pathVariable,
    ...(browserPath && { path: browserPath }),
    ...(cacheDir && { cacheFolder: cacheDir }),
    ...(signal && { signal }),
  });
  if (browser) return foundFinding(browser, await accountOf(browser), Date.now());
  const refused = tried.map(({ path, reason }) => `${path}: ${reason}`);
  return {
    status: "missing",
    detail: ["no Chromium that starts", ...refused].join("; "),
    cost: "Pages are fetched by HTTP only: scripts do not run, no screenshots, no actions.",
    remedy: "Install one (Debian: apt install chromium-headless-shell), or set BROWSER_PATH.",
  };
}

/** As whom it runs. */
async function accountOf(browser: FoundBrowser): Promise<"ours" | "nobody" | "root"> {
  if (!isRoot()) return "ours";
  return (await isOpenTo(NOBODY, browser)) ? "nobody" : "root";
}

function foundFinding(
  browser: FoundBrowser,
  account: Awaited<ReturnType<typeof accountOf>>,
  nowMs: number,
): Finding {
  const facts = [`Chromium ${browser.version}, ${browser.path}`];
  if (browser.source === "bundled")
    facts.push("The one that npm brought, for want of another: Latin fonts only");
  const age = ageInMonths(browser.version, nowMs);
  if (age >= MAX_AGE_MONTHS) facts.push(`About ${age} months old: security fixes since then are missing`);
  if (account === "nobody") facts.push("Runs as nobody, because root starts it");
  if (account === "root")
    facts.push("Runs as root and without its sandbox, because it lies where only root can read it");
  const detail = [...facts, ...browser.notes].join(". ");
  const isGood = browser.notes.length === 0 && account !== "root";
  return { status: isGood ? "found" : "problem", detail };
}
