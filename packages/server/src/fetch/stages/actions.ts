import { ServiceError } from "../../api/errors.ts";
import { watchEffects } from "@pergamon-dev/browser/input/effects";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import {
  type Action,
  ActionFailure,
  type ActionLog,
  type ActionTools,
  failureText,
} from "../actions/action.ts";
import * as table from "../actions/all.ts";
import { viewportOf } from "../device.ts";
import type { RequestedAction } from "../actions/requested-action.ts";
import type { BrowserStage } from "./stage.ts";

/** Maximum time until a page that an action opened is ready. Source: contract, section 3.17. */
const NEXT_PAGE_MS = 5_000;

/** Runs the requested actions on the page, in order (contract, section 3.17). */
export const actions: BrowserStage = {
  async prepare(tab, { visit }, signal) {
    if (visit.browser.actions.length === 0) return;
    // Some pages react to clicks and keys only while their window has the focus.
    await tab.session.send("Emulation.setFocusEmulationEnabled", { enabled: true }, { signal });
  },
  async onReady(tab, page, signal) {
    const { browser } = page.visit;
    if (browser.actions.length === 0) return undefined;
    const results: ActionLog = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
    const present = watchAddress(tab);
    const pages = new Set<string>();
    const tools: ActionTools = { tab, viewport: viewportOf(browser), results, signal };
    for (const [index, action] of browser.actions.entries()) {
      pages.add(present());
      const opensPage = await runAction(action, index, tools);
      pages.add(present());
      if (opensPage) await page.settle({ budgetMs: NEXT_PAGE_MS });
    }
    return { actions: { ...results, pages: [...pages] } };
  },
};

/** @returns a function that returns the current address of the document in the tab. */
function watchAddress(tab: BrowserTab): () => string {
  let address = tab.response?.url ?? "about:blank";
  tab.session.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId === undefined) address = frame.url;
  });
  return () => address;
}

/** @returns whether the action opened another page. */
async function runAction(requested: RequestedAction, index: number, tools: ActionTools): Promise<boolean> {
  const action = table[requested.type] as Action;
  const effects = action.hasEffects ? watchEffects(tools.tab) : undefined;
  try {
    await action.run(requested, tools);
    return (await effects?.settled(tools.signal)) ?? false;
  } catch (failure) {
    if (!(failure instanceof ActionFailure)) throw failure;
    const { code, message } = failure;
    throw new ServiceError("SCRAPE_ACTION_ERROR", {
      message: failureText(failure),
      details: { action: index, type: requested.type, errorCode: code, message },
      cause: failure,
    });
  }
}
