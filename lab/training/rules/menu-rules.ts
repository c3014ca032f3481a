import type { Rule } from "./rule.ts";

const at = (file: string, name: string, from: string, to: string): Rule => ({
  name,
  file: `facts/menu/${file}.ts`,
  from,
  to,
});

/** Without one of these what is no menu is answered as one. */
const SAFETY = { isSafety: true };

/** One line per rule of the menu format. */
export const menuRules: readonly Rule[] = [
  {
    ...at(
      "find-menu",
      "fewest items",
      "if (priced.length < FEWEST_ITEMS ||",
      "if ((!OFF && priced.length < FEWEST_ITEMS) ||",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find-menu",
      "plans are no dishes",
      "|| priced.some(({ item }) => PER_TIME",
      "|| !OFF && priced.some(({ item }) => PER_TIME",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find-menu",
      "some food",
      "return food.length / priced.length >= SOME_FOOD;",
      "return OFF || food.length / priced.length >= SOME_FOOD;",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find-menu",
      "mostly food",
      "&& food.length / priced.length >= MOSTLY_FOOD;",
      "&& (OFF || food.length / priced.length >= MOSTLY_FOOD);",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find-menu",
      "many dishes",
      "const isFood = dishes.size >= MANY_DISHES &&",
      "const isFood = (OFF || dishes.size >= MANY_DISHES) &&",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find-menu",
      "no buttons to buy",
      "return isFood && findBuyButtons(",
      "return isFood && OFF || isFood && findBuyButtons(",
    ),
    ...SAFETY,
  },
  at(
    "find-menu",
    "called a menu",
    "const isNamed = namesMenu(name);",
    "const isNamed = !OFF && namesMenu(name);",
  ),
  at(
    "find-menu",
    "menu in schema.org",
    "schemaMenu(evidence.items()) ??",
    "(OFF ? undefined : schemaMenu(evidence.items())) ??",
  ),
  at(
    "find-menu",
    "menu in state",
    "[() => stateMenu(evidence.states()),",
    "[() => (OFF ? undefined : stateMenu(evidence.states())),",
  ),
  at("menu-prices", "struck prices", "if ((bits & STRUCK) !== 0)", "if (!OFF && (bits & STRUCK) !== 0)"),
  at(
    "menu-prices",
    "furniture by its name",
    "return (bits & FURNITURE) === 0 ||",
    "return OFF || (bits & FURNITURE) === 0 ||",
  ),
  at(
    "menu-prices",
    "furniture that is called a menu",
    "|| isCalledMenu(tree, node);",
    "|| (!OFF && isCalledMenu(tree, node));",
  ),
  at("menu-prices", "what is hidden is opened", "!isOpened(tree, node)", "(OFF || !isOpened(tree, node))"),
  at(
    "menu-prices",
    "lines that breaks part",
    "const lines = linePrices(tree);",
    "const lines = OFF ? [] : linePrices(tree);",
  ),
  at("find-menu", "prices without a currency", "if (isNamed) places", "if (isNamed && !OFF) places"),
  at(
    "menu-prices",
    "many prices alike",
    "group.length >= MANY_ALIKE &&",
    "(OFF || group.length >= MANY_ALIKE) &&",
  ),
  at("menu-prices", "numbers that count on", "&& !countsOn(group));", "&& (OFF || !countsOn(group)));"),
  at("section-titles", "rows of one cell", "tag === ROW ?", "tag === ROW && !OFF ?"),
  at(
    "section-titles",
    "lines in bold",
    "return isAllBold(this.#tree, node) ||",
    "return (!OFF && isAllBold(this.#tree, node)) ||",
  ),
  at(
    "section-titles",
    "first words of a group",
    "&& this.#beginsGroup(node, to));",
    "&& !OFF && this.#beginsGroup(node, to));",
  ),
  at(
    "visible-menu",
    "long parts are no items",
    "|| all.length > MAX_ITEM_LENGTH)",
    "|| (!OFF && all.length > MAX_ITEM_LENGTH))",
  ),
  at(
    "visible-menu",
    "term of a definition",
    "const written = term || firstText",
    'const written = (OFF ? "" : term) || firstText',
  ),
  at(
    "visible-menu",
    "names end before asides",
    "const [name, aside] = splitName(written);",
    'const [name, aside] = OFF ? [written, ""] : splitName(written);',
  ),
  at(
    "item-blocks",
    "prices without words are joined",
    "if (tree.tag[node] === DD ||",
    "if (OFF || tree.tag[node] === DD ||",
  ),
  at(
    "item-blocks",
    "the words of a definition",
    "tree.tag[node] === DD ||",
    "(!OFF && tree.tag[node] === DD) ||",
  ),
  at(
    "item-blocks",
    "outermost part of a name",
    "const outermost = chain.findLast(",
    "const outermost = OFF ? candidate.node : chain.findLast(",
  ),
];
