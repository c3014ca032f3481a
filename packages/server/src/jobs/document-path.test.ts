import { expect, test } from "vitest";

import { DocumentPaths } from "./download-documents.ts";

test.each([
  ["https://a.example/", "a.example/index.md"],
  ["https://a.example/docs", "a.example/docs.md"],
  ["https://a.example/docs/", "a.example/docs/index.md"],
  ["http://a.example:8080/x.html?page=2&q=%2e%2e/", "a.example_8080/x.html_page_2_q_%2e%2e_.md"],
  ["https://a.example/%2e%2e/%2E./up", "a.example/up.md"],
  ["https://a.example/..%2f..%2fup", "a.example/_..%2f..%2fup.md"],
  ["https://a.example/a//b", "a.example/a/_/b.md"],
  ["https://a.example/.hidden/con/nul.txt", "a.example/_.hidden/_con/_nul.txt.md"],
  ["https://a.example/dots.../x.", "a.example/dots_/x_.md"],
  ["https://a.example/page.md/x", "a.example/page_md/x.md"],
  [
    "https://a.example/<img src=x>/\u202Egpj",
    "a.example/%3Cimg%20src=x%3E/%E2%80%AEgpj.md".replace("=", "_"),
  ],
  ["https://[::1]/x", "_1_/x.md"],
  ["no url", "document-7.md"],
  [undefined, "document-7.md"],
])("%s is laid down as %s", (url, path) => {
  expect(new DocumentPaths().pathOf(url, 7)).toBe(path);
});

test("a name is given once, whatever its case", () => {
  const paths = new DocumentPaths();
  const names = ["/a", "/A", "/a?", "/a", "/a-2"].map((path) => paths.pathOf(`https://a.example${path}`, 1));
  expect(names).toEqual(["a", "A-2", "a-3", "a-4", "a-2-2"].map((name) => `a.example/${name}.md`));
});

test("long and deep URLs become names that fit, and stay apart", () => {
  const paths = new DocumentPaths();
  const long = `https://a.example/${"x".repeat(3000)}`;
  const [one, other] = [paths.pathOf(`${long}1`, 1), paths.pathOf(`${long}2`, 2)];
  expect(one).not.toBe(other);
  const deep = `https://a.example${"/d".repeat(500)}`;
  const [first, second] = [paths.pathOf(`${deep}/1/x`, 3), paths.pathOf(`${deep}/2/x`, 4)];
  expect(first).not.toBe(second);
  for (const path of [one, other, first, second]) {
    expect(path.length).toBeLessThan(300);
    expect(Math.max(...path.split("/").map((part) => part.length))).toBeLessThanOrEqual(103);
  }
});
