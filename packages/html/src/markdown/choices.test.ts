import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

function markdownOf(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), "https://site.test/");
}

const OPTIONS = `<option value="">Choose</option><option>Moss</option><option selected>Slate</option><option>Rust</option>`;

describe("fields that choose what is sold", () => {
  test.each(['name="options[Color]"', 'id="product-variant"', 'class="swatchSelect"', 'aria-label="Farbe"'])(
    "are lists of their values, the chosen one in bold: %s",
    (attribute) => {
      expect(markdownOf(`<p>Colour</p><select ${attribute}>${OPTIONS}</select><p>End</p>`)).toBe(
        "Colour\n\n- Moss\n- **Slate**\n- Rust\n\nEnd",
      );
    },
  );

  test("are one line in cells of tables", () => {
    const row = `<tr><th>Name</th><th>Size</th></tr><tr><td>Coat</td><td><select name="size">${OPTIONS}</select></td></tr>`;
    expect(markdownOf(`<table>${row}</table>`)).toContain("| Coat | Moss, Slate, Rust |");
  });
});

describe("other fields", () => {
  test.each(['name="sort_options"', 'name="country"', 'id="quantity-size"', "", 'name="q"'])(
    "are not content: <select %s>",
    (attribute) => {
      expect(markdownOf(`<p>a</p><select ${attribute}>${OPTIONS}</select>`)).toBe("a");
    },
  );

  test("with one value, or with more than anybody reads, are not either", () => {
    const many = "<option>x</option>".repeat(5000);
    expect(markdownOf(`<select name="size"><option>One</option></select>`)).toBe("");
    expect(markdownOf(`<select name="size">${many}</select>`)).toBe("");
  });
});
