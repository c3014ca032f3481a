import type { AutomationLocator, AutomationPage } from "../page-api/automation-page.ts";
import { answer, DONE, oneOf, valueOf } from "./command.ts";

interface Sought {
  readonly what: string;
  readonly isExact: boolean;
  readonly name: string | undefined;
}

const FINDERS: Readonly<Record<string, (page: AutomationPage, sought: Sought) => AutomationLocator>> = {
  role: (page, { what, isExact: exact, name }) =>
    page.getByRole(what as never, name === undefined ? {} : { name, exact }),
  text: (page, { what, isExact: exact }) => page.getByText(what, { exact }),
  label: (page, { what, isExact: exact }) => page.getByLabel(what, { exact }),
  placeholder: (page, { what, isExact: exact }) => page.getByPlaceholder(what, { exact }),
  alt: (page, { what, isExact: exact }) => page.getByAltText(what, { exact }),
  title: (page, { what, isExact: exact }) => page.getByTitle(what, { exact }),
  testid: (page, { what }) => page.getByTestId(what),
  first: (page, { what }) => page.locator(what).first(),
  last: (page, { what }) => page.locator(what).last(),
};

const ACTIONS: Readonly<Record<string, (found: AutomationLocator, value: string) => Promise<unknown>>> = {
  click: (found) => found.click(),
  dblclick: (found) => found.dblclick(),
  hover: (found) => found.hover(),
  focus: (found) => found.focus(),
  check: (found) => found.check(),
  uncheck: (found) => found.uncheck(),
  fill: (found, value) => found.fill(value),
  type: (found, value) => found.type(value),
  select: (found, value) => found.selectOption([value]),
  text: (found) => found.innerText(),
};

const USAGE =
  "<role|text|label|placeholder|alt|title|testid|first|last> <what> [action] [value] [--name <name>] [--exact], or nth <n> <selector> [action] [value]";

/** Commands that find elements by what people call them: role, text, label and the like. */
export const finding = {
  find: answer(USAGE, 2, async ({ page }, words) => {
    const name = valueOf(words, "--name");
    const flagAt = words.indexOf("--name");
    const plain = words.filter(
      (word, at) => word !== "--exact" && (flagAt < 0 || at < flagAt || at > flagAt + 1),
    );
    const isNth = plain[0] === "nth";
    const [what = "", act = "click", ...value] = plain.slice(isNth ? 2 : 1);
    const found = isNth
      ? page.locator(what).nth(Number(plain[1]))
      : oneOf(FINDERS, plain[0])(page, { what, isExact: words.includes("--exact"), name }).first();
    const result = await oneOf(ACTIONS, act)(found, value.join(" "));
    return act === "text" ? String(result) : DONE;
  }),
};
