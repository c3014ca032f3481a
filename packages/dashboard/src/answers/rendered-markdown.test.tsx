import { type ComponentChildren, isValidElement } from "preact";
import { describe, expect, test } from "vitest";

import { renderMarkdown } from "./rendered-markdown.tsx";

interface Props {
  readonly children?: ComponentChildren;
  readonly href?: string;
  readonly start?: number;
}

/** Elements as they would be in a page. Text is in angle quotes, so that it is not taken for an element. */
function html(of: ComponentChildren): string {
  if (Array.isArray(of)) return of.map((one: ComponentChildren) => html(one)).join("");
  if (!isValidElement(of)) return of === null || of === undefined ? "" : `‹${of as string}›`;
  const { type, props } = of as { readonly type: unknown; readonly props: Props };
  if (typeof type === "function") {
    const made = (type as (props: Props) => ComponentChildren)(props);
    return html(made === props.children ? props.children : made);
  }
  const start = props.start === undefined || props.start === 1 ? "" : ` start=${props.start}`;
  const href = props.href === undefined ? "" : ` href=${props.href}`;
  return `<${String(type)}${href}${start}>${html(props.children)}</${String(type)}>`;
}

const render = (markdown: string) => html(renderMarkdown(markdown));

describe("rendered Markdown", () => {
  test.each([
    ["# A *b*", "<h1>‹A ›<em>‹b›</em></h1>"],
    ["a\n\nb `c`", "<p>‹a›</p><p>‹b ›<code>‹c›</code></p>"],
    ["- a\n- b", "<ul><li>‹a›</li><li>‹b›</li></ul>"],
    ["3. a\n4. b", "<ol start=3><li>‹a›</li><li>‹b›</li></ol>"],
    ["- [ ] a\n- [x] **b**", "<ul><li>‹☐ ›‹a›</li><li>‹☑ ›‹›<strong>‹b›</strong>‹›</li></ul>"],
    ["> a", "<blockquote><p>‹a›</p></blockquote>"],
    ["```js\na < b\n```", "<pre><code>‹a < b\n›</code></pre>"],
    [
      "| a | b |\n| - | - |\n| c<br>d | ~~e~~ |",
      "<table><thead><tr><th>‹a›</th><th>‹b›</th></tr></thead>" +
        "<tbody><tr><td>‹c›<br></br>‹d›</td><td><s>‹e›</s></td></tr></tbody></table>",
    ],
    ["a &amp; \\*b\\*", "<p>‹a & *b*›</p>"],
  ])("is what it says: %j", (markdown, expected) => {
    expect(render(markdown)).toBe(expected);
  });

  test.each([
    ["[a](https://shop.test/)", "<p><a href=https://shop.test/>‹a›</a></p>"],
    ["[a](mailto:me@shop.test)", "<p><a href=mailto:me@shop.test>‹a›</a></p>"],
    ["[a](ftp://shop.test/)", "<p><span>‹a›</span></p>"],
    ["[a](/relative)", "<p><span>‹a›</span></p>"],
    ["[a](javascript:alert(1))", "<p>‹[a](javascript:alert(1))›</p>"],
    ["<script>alert(1)</script>", "‹<script>alert(1)</script>›"],
    ["a <b onclick=x>c</b>", "<p>‹a ›‹<b onclick=x>›‹c›‹</b>›</p>"],
    ["![a *b*](https://shop.test/a.png)", "<p><em>‹[picture: a *b*]›</em></p>"],
  ])("leads nowhere but to web addresses, and HTML stays text: %j", (markdown, expected) => {
    expect(render(markdown)).toBe(expected);
  });

  test.each(["_a", "a**b__c", "> ", "[", "- ", "|", "<!--"])(
    "is made of 60,000 %j without delay",
    (piece) => {
      expect(typeof render(piece.repeat(60_000 / piece.length))).toBe("string");
    },
  );
});
