import { isRoot, NOBODY } from "@pergamon-dev/browser/launch/account";
import { ageInMonths, MAX_AGE_MONTHS, NEWER_BROWSER } from "@pergamon-dev/browser/launch/browser-age";
import { type FoundBrowser, findBrowser } from "@pergamon-dev/browser/launch/find";
import { isOpenTo } from "@pergamon-dev/browser/launch/launch";
import type { DoctorSettings, Finding } from "./check.ts";

/** Finds the browser, its version and age, and what it lacks. */
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
    detail: ["no working Chromium found", ...refused].join("; "),
    cost: "Pages are fetched by HTTP only: no scripts, screenshots or actions.",
    remedy: "Install one (Debian: apt install chromium-headless-shell), or set BROWSER_PATH.",
  };
}

/** Finds the browser of the enhanced tier, in which sites see nothing of a headless shell. */
export async function checkWholeBrowser(settings: DoctorSettings, signal?: AbortSignal): Promise<Finding> {
  const { browserPath, pathVariable } = settings;
  if (browserPath) return { status: "found", detail: `${browserPath}, used for all pages` };
  const { browser } = await findBrowser({ pathVariable, isWhole: true, ...(signal && { signal }) });
  if (browser) return { status: "found", detail: `Chromium ${browser.version}, ${browser.path}` };
  return {
    status: "missing",
    detail: "only a headless shell, or no browser, was found",
    cost: "proxy: enhanced uses the same browser as basic, which sites can tell from a person's.",
    remedy: "Install one: apt install chromium on Debian, elsewhere npx playwright install chromium.",
  };
}

const OLD = {
  cost: "Later security fixes are missing.",
  remedy: NEWER_BROWSER,
};

/** The account under which the browser runs. */
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
    facts.push("Installed by npm, used because no other browser was found: Latin fonts only");
  const age = ageInMonths(browser.version, nowMs);
  const isOld = age >= MAX_AGE_MONTHS;
  if (isOld) facts.push(`About ${age} months old`);
  if (account === "nobody") facts.push("Runs as the user nobody, because the service runs as root");
  if (account === "root")
    facts.push("Runs as root and without its sandbox, because only root can read its folder");
  const detail = [...facts, ...browser.notes].join(". ");
  const isGood = browser.notes.length === 0 && account !== "root";
  return { status: !isGood ? "problem" : isOld ? "missing" : "found", detail, ...(isOld && OLD) };
}
