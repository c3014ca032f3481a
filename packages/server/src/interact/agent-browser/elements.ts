import type { AutomationElement } from "../page-api/automation-page.ts";
import { action, oneOf } from "./command.ts";

const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;
const USUAL_SCROLL_PIXELS = 300;

/** Commands that act on elements, and on the page by keyboard and mouse. */
export const elements = {
  click: on((element) => element.click()),
  dblclick: on((element) => element.dblclick()),
  hover: on((element) => element.hover()),
  focus: on((element) => element.focus()),
  check: on((element) => element.check()),
  uncheck: on((element) => element.uncheck()),
  scrollintoview: on((element) => element.scrollIntoViewIfNeeded()),
  fill: action("<selector> <text>", 2, async (browser, [selector = "", ...text]) =>
    (await browser.element(selector)).fill(text.join(" ")),
  ),
  type: action("<selector> <text>", 2, async (browser, [selector = "", ...text]) =>
    (await browser.element(selector)).type(text.join(" ")),
  ),
  select: action("<selector> <value>...", 2, async (browser, [selector = "", ...values]) =>
    (await browser.element(selector)).selectOption(values),
  ),
  press: action("<key>", 1, ({ page }, [key = ""]) => page.keyboard.press(key)),
  keyboard: action(
    "type <text> | inserttext <text> | down <key> | up <key>",
    2,
    ({ page: { keyboard } }, [how, ...words]) => {
      const text = words.join(" ");
      const ways = {
        type: () => keyboard.type(text),
        inserttext: () => keyboard.insertText(text),
        down: () => keyboard.down(text),
        up: () => keyboard.up(text),
      };
      return oneOf(ways, how)();
    },
  ),
  mouse: action("move <x> <y> | down | up | wheel <dy> [dx]", 1, ({ page: { mouse } }, [how, one, other]) => {
    const [first, second] = [Number(one ?? 0), Number(other ?? 0)];
    const ways = {
      move: () => mouse.move(first, second),
      down: () => mouse.down(),
      up: () => mouse.up(),
      wheel: () => mouse.wheel(second, first),
    };
    return oneOf(ways, how)();
  }),
  scroll: action("<up|down|left|right> [pixels]", 1, ({ page }, [direction, pixels]) => {
    const [x, y] = oneOf(DIRECTIONS, direction);
    const distance = pixels === undefined ? USUAL_SCROLL_PIXELS : Number(pixels);
    return page.mouse.wheel(x * distance, y * distance);
  }),
};

function on(act: (element: AutomationElement) => Promise<unknown>) {
  return action("<selector or @ref>", 1, async (browser, [selector = ""]) =>
    act(await browser.element(selector)),
  );
}
