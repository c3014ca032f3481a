import { expect, test } from "vitest";

import { imageSource, isEmptyPicture } from "./image-source.ts";
import { parseHtml } from "../parser/parse.ts";
import { tagId } from "../parser/tree.ts";

/** Of the first image that is not for readers without scripts. */
function sourceOf(html: string): string | undefined {
  const tree = parseHtml(html);
  return imageSource(tree, tree.tag.indexOf(tagId("img")));
}

test.each([
  ["plain", "<img src=' a.jpg '>", "a.jpg"],
  ["none", "<img alt=x>", undefined],
  ["empty", "<img src=''>", undefined],
  ["denser than src", "<img src=a.jpg srcset='b.jpg 2x, c.jpg 1.5x'>", "b.jpg"],
  ["src counts as 1x", "<img src=a.jpg srcset='b.jpg 0.5x'>", "a.jpg"],
  ["widest", "<img src=a.jpg srcset='b.jpg 200w, c.jpg 800w, d.jpg 400w'>", "c.jpg"],
  ["data-srcset without srcset", "<img src=a.jpg data-srcset='b.jpg 2x'>", "b.jpg"],
  [
    "data-srcset beside a placeholder srcset",
    "<img srcset='data:image/gif;base64,R0 1w' data-srcset='b.jpg 2x'>",
    "b.jpg",
  ],
  ["data-src without src", "<img data-src=b.jpg>", "b.jpg"],
  ["data-src beside an inline placeholder", "<img src='data:image/gif;base64,R0' data-src=b.jpg>", "b.jpg"],
  ["data-src beside a placeholder file", "<img src=/img/placeholder.png data-src=b.jpg>", "b.jpg"],
  [
    "data-src beside any file, where a class says lazy",
    "<img class=lazyload src=/a.jpg data-src=b.jpg>",
    "b.jpg",
  ],
  ["data-lazy-src beside any file", "<img src=/a.jpg data-lazy-src=b.jpg>", "b.jpg"],
  [
    "data-src that is a placeholder",
    "<img class=lazy src=/a.jpg data-src='data:image/gif;base64,R0'>",
    "/a.jpg",
  ],
  ["data-src that no class tells of", "<img class=photo src=/a.jpg data-src=b.jpg>", "/a.jpg"],
  [
    "an attribute of some loader",
    "<img src='data:image/svg+xml,%3Csvg%3E' nitro-lazy-src=/b.jpg?x=1>",
    "/b.jpg?x=1",
  ],
  [
    "an attribute of another loader",
    "<img data-page-url=/p alt=x data-cl-lazy-src='https://x.test/b.webp'>",
    "https://x.test/b.webp",
  ],
  [
    "no attribute that holds no picture",
    "<img src=blank.gif data-fallback-src=f.png data-url=/page>",
    "blank.gif",
  ],
  [
    "the image for readers without scripts",
    "<img src='data:image/gif;base64,R0'> <noscript><img src=b.jpg></noscript>",
    "b.jpg",
  ],
  [
    "src beside an image for readers without scripts",
    "<img src=a.jpg><noscript><img src=b.jpg></noscript>",
    "a.jpg",
  ],
  ["src beside data-src", "<img src=a.jpg data-src=b.jpg>", "a.jpg"],
  [
    "a data URI that stands in for nothing",
    "<img src='data:image/png;base64,AA'>",
    "data:image/png;base64,AA",
  ],
  [
    "a source of the picture",
    "<picture><source srcset='big.webp 1600w'><img src=a.jpg srcset='m.jpg 900w'></picture>",
    "big.webp",
  ],
  [
    "its own when the picture's are not larger",
    "<picture><source srcset='b.webp 900w'><img srcset='m.jpg 900w'></picture>",
    "m.jpg",
  ],
  [
    "no source for dark or paper",
    "<picture><source media='(prefers-color-scheme: dark)' srcset='d 9x'><source media=print srcset='p 9x'><img src=a.jpg></picture>",
    "a.jpg",
  ],
])("%s", (_name, html, expected) => {
  expect(sourceOf(html)).toBe(expected);
});

test.each([
  ["data:image/gif;base64,R0", true],
  ["data:image/svg+xml,%3Csvg%3E", true],
  ["data:image/png;base64,AA", false],
  ["https://x.test/img/spacer.gif?v=2", true],
  ["https://x.test/1x1.png", true],
  ["https://x.test/grey-placeholder.png", true],
  ["https://x.test/google-pixel-7.png", false],
  ["https://x.test/blank-canvas.jpg", false],
])("whether %s shows nothing: %s", (address, expected) => {
  expect(isEmptyPicture(address)).toBe(expected);
});

test("a picture of 100,000 sources and images", () => {
  const tree = parseHtml(
    `<picture>${"<source srcset='b 2x'>".repeat(100_000)}${"<img src=a>".repeat(100_000)}</picture>`,
  );
  const images = Array.from({ length: 100_000 }, (_, i) => imageSource(tree, tree.size - 1 - i));
  expect(new Set(images)).toEqual(new Set(["a"]));
});
