import { pageFunction } from "../page-api/page-function.ts";
import type { AutomationElement, AutomationHandle, AutomationPage } from "../page-api/automation-page.ts";
import { takeSnapshot } from "@pergamon-dev/browser/programs/snapshot";

const REFERENCE = /^@?e(\d+)$/;
const OUTLINE = pageFunction(takeSnapshot);
const TEXT = pageFunction("({ text }) => text");

/** Limits an outline to a part of the page. */
interface SnapshotOptions {
  readonly onlyInteractive: boolean;
  readonly isCompact: boolean;
  readonly maxDepth?: number | undefined;
  /** CSS selector of the wanted part. */
  readonly scope?: string | undefined;
}

/** Session that the commands work on. */
interface AgentSurroundings {
  /** The active page. */
  page(): AutomationPage;
  use(page: AutomationPage): void;
  /** Saves a file for the caller. @throws Error where there is no place for files. */
  saveFile(path: string, bytes: Uint8Array): Promise<void>;
}

/** State of the commands between calls: the last outline, whose references name elements. */
export class AgentBrowser {
  readonly #surroundings: AgentSurroundings;
  #outline: { readonly page: AutomationPage; readonly handle: AutomationHandle } | undefined;

  constructor(surroundings: AgentSurroundings) {
    this.#surroundings = surroundings;
  }

  get page(): AutomationPage {
    return this.#surroundings.page();
  }

  use(page: AutomationPage): void {
    this.#surroundings.use(page);
  }

  saveFile(path: string, bytes: Uint8Array): Promise<void> {
    return this.#surroundings.saveFile(path, bytes);
  }

  /** Outlines the page. From now on references belong to this outline. */
  async snapshot(options: SnapshotOptions): Promise<string> {
    await this.#outline?.handle.dispose().catch(() => undefined);
    const { page } = this;
    const handle = await page.evaluateHandle(OUTLINE, options);
    this.#outline = { page, handle };
    return String(await handle.evaluate(TEXT));
  }

  /**
   * Finds an element by reference (`@e3`) or selector.
   * @throws Error at once when the reference is not in the last outline or its element is gone.
   */
  async element(selector: string): Promise<AutomationElement> {
    const number = REFERENCE.exec(selector)?.[1];
    if (number === undefined) return this.page.locator(selector).first();
    const found = await this.#referenced(Number(number) - 1);
    if (found) return found;
    throw new Error(`${selector} is no longer on the page. Take a new snapshot.`);
  }

  async #referenced(index: number): Promise<AutomationElement | undefined> {
    const outline = this.#outline;
    if (!outline || outline.page !== this.page) return undefined;
    try {
      const element = pageFunction(`({ elements }) => elements[${index}]`);
      const found = (await outline.handle.evaluateHandle(element)).asElement();
      const isThere = pageFunction(`({ elements }) => elements[${index}]?.isConnected === true`);
      return (await outline.handle.evaluate(isThere)) === true ? (found ?? undefined) : undefined;
    } catch {
      // The page of the outline has been left.
      return undefined;
    }
  }
}
