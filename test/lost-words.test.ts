import { describe, expect, test } from "vitest";

import { lostInPages } from "./lost-words/document-words.ts";
import { lostWords, shownText } from "./lost-words/lost-words.ts";
import { lostInPage } from "./lost-words/page-words.ts";
import { openPdfReader } from "../packages/documents/src/pdfium/reader.ts";
import { gridOf, linesAt, pdfPage, proseLines, wordsAt } from "./pdf-pages.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { Random } from "./random.ts";

const HEADS = [
  "I. INTRODUCTION",
  "A. Setup",
  "J. Doe and T. Berg",
  "V. Putin met them",
  "1. First",
  "a) one",
  "• point",
];

/** A page of paragraphs, heads, columns, tables and notes at random places of its grid. */
function randomPage(random: Random, number: number) {
  const words = [...wordsAt(60, 30, "Annual report of the harbour"), ...wordsAt(290, 780, String(number))];
  const rulings = [];
  for (let y = 70; y < 720;) {
    const kind = random.below(5);
    if (kind === 0)
      words.push(...wordsAt(50, y, HEADS[random.below(HEADS.length)] ?? "", { isBold: true, size: 12 }));
    if (kind === 1) words.push(...linesAt(50, y, proseLines(3)), ...linesAt(320, y, proseLines(3, "dolor")));
    if (kind === 2)
      words.push(
        ...linesAt(50, y, [
          ...proseLines(2),
          `${HEADS[random.below(HEADS.length)] ?? ""} ends a hyphen-`,
          "ated word.",
        ]),
      );
    if (kind === 3) {
      rulings.push(...gridOf([50, 150, 250, 400], [y - 12, y + 6, y + 24]));
      words.push(
        ...wordsAt(60, y, "Name"),
        ...wordsAt(160, y, "Berths free"),
        ...wordsAt(60, y + 18, "Quay"),
        ...wordsAt(260, y + 18, "12"),
      );
    }
    if (kind === 4) words.push(...linesAt(50 + random.below(200), y, ["Short line", "J. D."], { size: 8 }));
    y += 60 + random.below(20);
  }
  return pdfPage({ number, words, rulings });
}

describe("no word is lost", () => {
  test("of pages laid out at random", () => {
    const random = new Random(7);
    for (let round = 0; round < 40; round++) {
      const pages = [1, 2, 3].slice(0, 1 + random.below(3)).map((number) => randomPage(random, number));
      const { words, inNoBlock, notWritten, doubtful } = lostInPages(pages);
      expect(words).toBeGreaterThan(20);
      expect({ round, inNoBlock, notWritten, doubtful }).toEqual({
        round,
        inNoBlock: [],
        notWritten: [],
        doubtful: [],
      });
    }
  });

  test("of 10,000 items with one label", () => {
    const pages = Array.from({ length: 200 }, (_none, at) => {
      const lines = Array.from({ length: 50 }, (_line, line) => `a. entry${String(at * 50 + line)}`);
      return pdfPage({ number: at + 1, words: linesAt(60, 60, lines) });
    });
    expect(lostInPages(pages)).toMatchObject({ words: 20_000, inNoBlock: [], notWritten: [], doubtful: [] });
  });

  test("of a file that pdfium reads", async () => {
    const text =
      "J. Doe and T. Lewandowski measured tides; V. Putin met nobody. A. Setup follows I. INTRODUCTION.";
    const pdf = (await openPdfReader()).open(
      writePdf({ pages: [textPage(text), textPage("M. Sørensen, harbour master")] }),
    );
    const pages = Array.from({ length: pdf.pageCount }, (_none, at) => pdf.page(at + 1));
    pdf.close();
    expect(lostInPages(pages)).toMatchObject({ inNoBlock: [], notWritten: [], doubtful: [] });
  });

  test("of the main content of a page", () => {
    const rows = "<tr><td rowspan=2>Ann</td><td>555 (home)</td></tr><tr><td>666</td></tr>";
    const page = `<main><h1>Dr. <em>J.</em> Doe</h1><p>${"Words of the text, 3 &lt; 4 and a_b. ".repeat(20)}</p>
      <ul><li>a. one</li><li>b. two</li></ul><table><tr><th>Name<th>Phone</tr>${rows}</table>
      <pre>if (a &lt; b) { f("&lt;td&gt;"); }</pre><dl><dt>Price</dt><dd>€ 12</dd></dl></main>`;
    expect(lostInPage(page, "https://site.test/").notWritten).toEqual([]);
  });

  test("of a page, what is left out on purpose is counted by what it is", () => {
    const page = `<main><h1>Tides</h1><p>${"Words of the text. ".repeat(20)}</p>
      <h2>Heights <span class="mw-editsection">[edit]</span></h2><p>From <span aria-hidden="true">12</span>
      <span>12 metres</span> <i class="material-icons">chevron_right</i>
      <a href="https://other.test/">more<span>(opens in a new window)</span></a></p>
      <pre>f()\ng()</pre><iframe src="/x">No frames</iframe></main>`;
    const { notWritten, leftOut } = lostInPage(page, "https://site.test/");
    expect(notWritten).toEqual([]);
    expect(Object.fromEntries(leftOut)).toMatchObject({
      "links to edit": 1,
      "drawn, and said beside it": 1,
      "names of icons": 1,
      "what a link does with its window": 5,
    });
  });
});

describe("words that are lost are found", () => {
  test.each([
    ["a word that is there twice", ["one two one"], ["one two"], ["one"]],
    ["an initial", ["J. Doe"], ["Doe"], ["J"]],
    ["in capitals", ["I. INTRODUCTION"], ["- INTRODUCTION"], ["I"]],
    ["nothing, for a hyphen at the end of a line", ["mea- sured tides"], ["measured tides"], []],
    ["nothing, for words that are written as one", ["H 2 O"], ["H2O"], []],
    ["nothing, for a bullet", ["• point"], ["point"], []],
  ])("%s", (_name, text, written, lost) => {
    expect(lostWords(text, written)).toEqual(lost);
  });

  test("marks of Markdown are no words, those of code are", () => {
    const markdown = "[a](https://b.test/c_(d)) \\* <td>e</td> `<td>f</td>`\n\n```html\n<p>g</p>\n```";
    expect(lostWords(["a e td f td html p g p"], [shownText(markdown)])).toEqual([]);
    expect(lostWords(["b"], [shownText(markdown)])).toEqual(["b"]);
  });
});
