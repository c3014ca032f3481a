import { pageFunction } from "../page-api/page-function.ts";
import type { AutomationElement, AutomationHandle, AutomationPage } from "../page-api/automation-page.ts";
import { takeSnapshot } from "@pergamon-dev/browser/programs/snapshot";

const REFERENCE = /^@?e(\d+)$/;
const OUTLINE = pageFunction(takeSnapshot);
const TEXT = pageFunction("({ text }) => text");

/** How much of a page an outline has. */
interface SnapshotOptions {
  readonly onlyInteractive: boolean;
  readonly isCompact: boolean;
  readonly maxDepth?: number | undefined;
  /** A CSS selector of the part that is wanted. */
  readonly scope?: string | undefined;
}

/** What commands work on. */
interface AgentSurroundings {
  /** The page that is in front. */
  page(): AutomationPage;
  use(page: AutomationPage): void;
  /** Keeps a file for the caller. @throws Error where there are no files. */
  saveFile(path: string, bytes: Uint8Array): Promise<void>;
}

/** The commands' memory between calls: the last outline, whose references name elements. */
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

  /** The page as an outline. From now on references are those of this one. */
  async snapshot(options: SnapshotOptions): Promise<string> {
    await this.#outline?.handle.dispose().catch(() => undefined);
    const { page } = this;
    const handle = await page.evaluateHandle(OUTLINE, options);
    this.#outline = { page, handle };
    return String(await handle.evaluate(TEXT));
  }

  /**
   * An element by reference (`@e3`) or selector.
   * @throws Error at once, when the reference is not of the last outline or its element has gone.
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
      // The page that it was taken of has been left.
      return undefined;
    }
  }
}
