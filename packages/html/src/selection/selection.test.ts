import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectCss } from "./select-css.ts";
import {
  isEmpty,
  keptNodes,
  only,
  type Selection,
  selectAll,
  showsSame,
  withAlso,
  without,
} from "./selection.ts";
import { TEXT } from "../parser/tree.ts";

/** The kept texts, each followed by a bar. */
function textOf(selection: Selection): string {
  const texts = [...keptNodes(selection)].filter((node) => selection.tree.tag[node] === TEXT);
  return texts.map((node) => selection.tree.text(node)).join("|");
}

function find(selection: Selection, selector: string): readonly number[] {
  return selectCss(selection.tree, selector);
}

const LISTS = selectAll(parseHtml("<ul id=a><li id=b>1<li id=c>2</ul><ol id=d><li>3</ol>"));

describe("the whole page", () => {
  test("leaves out head, scripts, styles and metadata", () => {
    const page = `<html><head><title>a</title></head><body>b<script>c</script><style>d</style><noscript>e</noscript>
      <template>f</template><title>g</title><p>h</p></body></html>`;
    expect(textOf(selectAll(parseHtml(page))).replaceAll(/\s/gu, "")).toBe("b||h");
  });

  test("keeps titles of drawings and templates of shadow roots", () => {
    const page = "<svg><title>a</title></svg><x-y><template shadowrootmode=open>b</template></x-y>";
    expect(textOf(selectAll(parseHtml(page)))).toBe("a|b");
  });
});

describe("a selection and some nodes of another", () => {
  test("shows nothing else of what was left out around them", () => {
    const narrowed = without(LISTS, find(LISTS, "ul"));
    expect(textOf(withAlso(narrowed, LISTS, find(LISTS, "#c")))).toBe("2|3");
    expect(textOf(narrowed)).toBe("3");
  });

  test("has them where they stand in the page, outside of its roots too", () => {
    const narrowed = only(LISTS, find(LISTS, "ol"));
    expect(textOf(withAlso(narrowed, LISTS, find(LISTS, "#b")))).toBe("1|3");
  });

  test("has none that the other one lacks", () => {
    const narrowed = only(LISTS, find(LISTS, "ol"));
    expect(textOf(withAlso(narrowed, without(LISTS, find(LISTS, "ul")), find(LISTS, "#b")))).toBe("3");
  });
});

describe("whether as much of an element is shown", () => {
  const [list = -1] = find(LISTS, "ul");
  test.each([
    ["all of it", LISTS, true],
    ["a part of it", without(LISTS, find(LISTS, "#c")), false],
    ["nothing of it", only(LISTS, find(LISTS, "ol")), false],
  ])("%s", (_, selection, isSame) => {
    expect(showsSame(selection, LISTS, list)).toBe(isSame);
  });

  test("nothing of what the other selection lacks, too", () => {
    const narrowed = only(LISTS, find(LISTS, "ol"));
    expect(showsSame(narrowed, narrowed, list)).toBe(true);
  });
});

describe("without", () => {
  test("leaves out nodes with all they contain, and the given selection as it was", () => {
    const narrowed = without(LISTS, find(LISTS, "ul"));
    expect(textOf(narrowed)).toBe("3");
    expect(textOf(LISTS)).toBe("1|2|3");
  });
});

describe("only", () => {
  test("keeps subtrees in the order given", () => {
    expect(textOf(only(LISTS, [...find(LISTS, "ol"), ...find(LISTS, "#b")]))).toBe("3|1");
  });

  test("of nodes inside each other the outermost counts, once", () => {
    const roots = [...find(LISTS, "#b"), ...find(LISTS, "ul"), ...find(LISTS, "#c"), ...find(LISTS, "ul")];
    expect(only(LISTS, roots).roots).toEqual(find(LISTS, "ul"));
  });

  test("brings nothing back that was left out", () => {
    const narrowed = without(LISTS, find(LISTS, "ul"));
    expect(only(narrowed, find(LISTS, "#b")).roots).toEqual([]);
    expect(textOf(only(narrowed, [0]))).toBe("3");
  });

  test("nodes outside of the selection count for nothing, nodes around it for what they contain", () => {
    const narrowed = only(LISTS, find(LISTS, "#c"));
    expect(only(narrowed, find(LISTS, "#b")).roots).toEqual([]);
    expect(textOf(only(narrowed, find(LISTS, "ul")))).toBe("2");
  });

  test("no roots leave nothing", () => {
    expect(textOf(only(LISTS, []))).toBe("");
  });

  test("hundreds of thousands of roots", () => {
    const all = selectAll(parseHtml("<p>".repeat(300_000)));
    expect(only(all, find(all, "p")).roots).toHaveLength(300_000);
  });
});

describe("isEmpty", () => {
  test.each([
    "",
    " \n&nbsp;<p></p>",
    "<script>a</script><title>b</title>",
    "<iframe>c</iframe>",
    "<br><input value=x>",
  ])("nothing to see in %j", (html) => {
    expect(isEmpty(selectAll(parseHtml(html)))).toBe(true);
  });

  test.each(["a", "<p><b>x</b></p>", "<img src=x>"])("something to see in %j", (html) => {
    expect(isEmpty(selectAll(parseHtml(html)))).toBe(false);
  });

  test("what was left out is not seen", () => {
    expect(isEmpty(without(LISTS, find(LISTS, "ul, ol")))).toBe(true);
  });
});
