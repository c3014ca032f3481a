/** Methods that code of an interpreter may call, by what they belong to. All else is refused by name. */

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const elementMethods = names(`
  click dblclick tap hover focus fill type press check uncheck selectOption scrollIntoViewIfNeeded innerText innerHTML
  textContent inputValue getAttribute isVisible isEnabled isChecked boundingBox`);

export const locatorMethods: ReadonlySet<string> = new Set([
  ...elementMethods,
  ...names("count allInnerTexts waitFor evaluate"),
]);

export const handleMethods: ReadonlySet<string> = new Set([
  ...elementMethods,
  ...names("evaluate evaluateHandle jsonValue dispose"),
]);

export const pageMethods = names(`
  goto reload goBack goForward title content setContent evaluate evaluateHandle $ $$ $eval $$eval screenshot pdf
  waitForSelector waitForTimeout waitForLoadState waitForURL waitForFunction waitForNavigation setViewportSize bringToFront
  close`);

export const contextMethods = names("cookies addCookies clearCookies newPage");

/** Of the keyboard and the mouse; each has its own of them. */
export const inputMethods = names("press type insertText down up move click dblclick wheel");

/** What leads from a page or a locator to another locator, at once. */
export const stepMethods = names(`
  locator getByRole getByText getByLabel getByPlaceholder getByAltText getByTitle getByTestId nth first last filter`);
