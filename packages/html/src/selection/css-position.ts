import type { SiblingIndex } from "./sibling-index.ts";
import type { HtmlTree } from "../parser/tree.ts";

type Position = (node: number) => number;
type PositionTest = (handle: { readonly node: number }, formula?: string | null) => boolean;

/**
 * The pseudo-classes that ask for an element's place among its siblings, answered from an index: css-select would walk
 * over all siblings of every element.
 */
export function positionPseudos(tree: HtmlTree, indexOf: () => SiblingIndex): Record<string, PositionTest> {
  const first: Position = (node) => indexOf().position[node] ?? 0;
  const last: Position = (node) => (indexOf().count[tree.parent[node] ?? 0] ?? 0) - first(node) + 1;
  const firstOfType: Position = (node) => indexOf().positionOfType[node] ?? 0;
  const lastOfType: Position = (node) => indexOf().countOfType(node) - firstOfType(node) + 1;
  return {
    "first-child": ({ node }) => first(node) === 1,
    "last-child": ({ node }) => last(node) === 1,
    "only-child": ({ node }) => first(node) === 1 && last(node) === 1,
    "first-of-type": ({ node }) => firstOfType(node) === 1,
    "last-of-type": ({ node }) => lastOfType(node) === 1,
    "only-of-type": ({ node }) => indexOf().countOfType(node) === 1,
    "nth-child": nth(first),
    "nth-last-child": nth(last),
    "nth-of-type": nth(firstOfType),
    "nth-last-of-type": nth(lastOfType),
  };
}

function nth(position: Position): PositionTest {
  const tests = new Map<string, (position: number) => boolean>();
  return function isNth({ node }, formula) {
    const key = formula ?? "";
    const test = tests.get(key) ?? readFormula(key);
    tests.set(key, test);
    return test(position(node));
  };
}

/**
 * Reads `odd`, `even`, `3`, `2n+1` and so on.
 * @throws RangeError when the text is not such a formula.
 */
function readFormula(formula: string): (position: number) => boolean {
  const text = formula
    .trim()
    .toLowerCase()
    .replace(/^odd$/u, "2n+1")
    .replace(/^even$/u, "2n");
  const match = /^(?:([+-]?\d*)n)?\s*(?:([+-]?)\s*(\d+))?$/u.exec(text);
  if (match === null || text === "") throw new RangeError(`Not a position: ${formula}`);
  const [, factor, sign, summand] = match;
  const step = factor === undefined ? 0 : readFactor(factor);
  const offset = Number(summand ?? 0) * (sign === "-" ? -1 : 1);
  if (step === 0) return (position) => position === offset;
  return (position) => (position - offset) % step === 0 && (position - offset) / step >= 0;
}

function readFactor(factor: string): number {
  return /\d/u.test(factor) ? Number(factor) : Number(`${factor}1`);
}
