import { describe, expect, test } from "vitest";

import { removeBase64Images } from "./images.ts";

const PNG = "data:image/png;base64,iVBORw0KGgo=";

describe("removeBase64Images", () => {
  test.each([
    [`a ![b](${PNG}) c`, "a ![b](<Base64-Image-Removed>) c"],
    [`![](${PNG})![x](${PNG})`, "![](<Base64-Image-Removed>)![x](<Base64-Image-Removed>)"],
    [`![a](${PNG} "title")`, "![a](<Base64-Image-Removed>)"],
    [`![a](<${PNG}>)`, "![a](<Base64-Image-Removed>)"],
    ["![a](data:image/svg+xml,<svg(1)>)", "![a](<Base64-Image-Removed>)"],
    ["![a \\[b\\]](DATA:,x)", "![a \\[b\\]](<Base64-Image-Removed>)"],
    [`[![a](${PNG})](https://x.test)`, "[![a](<Base64-Image-Removed>)](https://x.test)"],
  ])("replaces the target in %s", (markdown, expected) => {
    expect(removeBase64Images(markdown)).toBe(expected);
  });

  test.each(["![a](https://x.test/data:b.png)", `[a](${PNG})`, "![a](data:x", "data:x ![a](b)", ""])(
    "leaves %s alone",
    (markdown) => {
      expect(removeBase64Images(markdown)).toBe(markdown);
    },
  );

  test.each(["![](data:", "](data:", "![![](data:("])("copes with many unclosed %s", (piece) => {
    const markdown = piece.repeat(100_000);
    expect(removeBase64Images(markdown)).toBe(markdown);
  });
});
