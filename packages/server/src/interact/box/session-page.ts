import { createRequire } from "node:module";

import type { Browser, BrowserContext, BrowserType, Page } from "playwright-core";

import { BROWSER_SOCKET } from "./messages.ts";

/** Folder of Playwright in the box. */
const PLAYWRIGHT_FOLDER = "/opt/box/";
const CONNECT_LIMIT_MS = 20_000;

/** Globals that code gets. */
export interface SessionObjects {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
}

/**
 * The session's browser through Playwright. It connects on first use, and again when the connection broke.
 */
export class BoxPage {
  readonly #chromium: BrowserType;
  #browser: Browser | undefined;
  #page: Page | undefined;

  constructor() {
    const require = createRequire(PLAYWRIGHT_FOLDER);
    const { chromium } = require("playwright-core") as { readonly chromium: BrowserType };
    this.#chromium = chromium;
  }

  /** Globals of the last call. @throws Error before the first one. */
  get objectsNow(): SessionObjects {
    if (!this.#browser) throw new Error("The page of the session is not open.");
    return { browser: this.#browser, context: this.page.context(), page: this.page };
  }

  get page(): Page {
    if (!this.#page) throw new Error("The page of the session is not open.");
    return this.#page;
  }

  /**
   * @param timeoutMs limit of the code. Waits on the page end a little earlier, with a message that says what
   *   they waited for.
   */
  async objects(timeoutMs: number): Promise<SessionObjects> {
    this.#browser = this.#browser?.isConnected() ? this.#browser : await this.#connect();
    const context = this.#browser.contexts()[0] ?? (await this.#browser.newContext());
    if (!this.#page || this.#page.isClosed() || this.#page.context() !== context) {
      this.#page = context.pages().at(-1) ?? (await context.newPage());
    }
    context.setDefaultTimeout(Math.min(30_000, timeoutMs * 0.9));
    return { browser: this.#browser, context, page: this.#page };
  }

  /** Changes the page that code gets. */
  use(page: Page): void {
    this.#page = page;
  }

  #connect(): Promise<Browser> {
    return this.#chromium.connectOverCDP(`ws+unix:${BROWSER_SOCKET}:/`, { timeout: CONNECT_LIMIT_MS });
  }
}
