import type { PageFunction } from "./page-function.ts";

export interface AutomationPage {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  goForward(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  close(): Promise<void>;
  bringToFront(): Promise<void>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  evaluate(script: string | PageFunction, argument?: unknown): Promise<unknown>;
  evaluateHandle(script: PageFunction, argument?: unknown): Promise<AutomationHandle>;
  screenshot(options: { readonly fullPage?: boolean }): Promise<Uint8Array>;
  pdf(): Promise<Uint8Array>;
  waitForTimeout(delayMs: number): Promise<void>;
  waitForLoadState(state: "load" | "domcontentloaded" | "networkidle"): Promise<void>;
  waitForURL(url: string): Promise<void>;
  waitForFunction(script: string): Promise<unknown>;
  locator(selector: string): AutomationLocator;
  getByRole(role: never, options: { readonly name?: string; readonly exact?: boolean }): AutomationLocator;
  getByText(text: string, options?: { readonly exact?: boolean }): AutomationLocator;
  getByLabel(text: string, options?: { readonly exact?: boolean }): AutomationLocator;
  getByPlaceholder(text: string, options?: { readonly exact?: boolean }): AutomationLocator;
  getByAltText(text: string, options?: { readonly exact?: boolean }): AutomationLocator;
  getByTitle(text: string, options?: { readonly exact?: boolean }): AutomationLocator;
  getByTestId(text: string): AutomationLocator;
  context(): AutomationContext;
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    insertText(text: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  readonly mouse: {
    move(x: number, y: number): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
    wheel(deltaX: number, deltaY: number): Promise<void>;
  };
}

export interface AutomationContext {
  pages(): AutomationPage[];
  newPage(): Promise<AutomationPage>;
  cookies(): Promise<readonly { readonly name: string; readonly value: string }[]>;
  addCookies(cookies: { name: string; value: string; url: string }[]): Promise<void>;
  clearCookies(): Promise<void>;
}

/** A reference to a value in a page. */
export interface AutomationHandle {
  evaluate(script: string | PageFunction, argument?: unknown): Promise<unknown>;
  evaluateHandle(script: PageFunction, argument?: unknown): Promise<AutomationHandle>;
  asElement(): AutomationElement | null;
  dispose(): Promise<void>;
}

/** One element, or a locator of it. */
export interface AutomationElement {
  click(): Promise<void>;
  dblclick(): Promise<void>;
  hover(): Promise<void>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  type(text: string): Promise<void>;
  press(key: string): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  selectOption(values: string[]): Promise<string[]>;
  scrollIntoViewIfNeeded(): Promise<void>;
  innerText(): Promise<string>;
  innerHTML(): Promise<string>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  isVisible(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  isChecked(): Promise<boolean>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
}

export interface AutomationLocator extends AutomationElement {
  first(): AutomationLocator;
  last(): AutomationLocator;
  nth(index: number): AutomationLocator;
  count(): Promise<number>;
  waitFor(): Promise<void>;
}
