import { describe, expect, test } from "vitest";

import {
  docxFile,
  epubFile,
  odtFile,
  pptxFile,
  relationships,
  wordHeading,
  wordParagraph,
  wordTable,
  xlsxFile,
} from "../../../test/office-files.ts";
import { zipFile } from "../../../test/zip-file.ts";
import { ZipEntries } from "./archives/zip-entries.ts";
import { readOffice } from "./office.ts";

const url = "https://site.test/files/report";

function read(body: Buffer, mimeType = "") {
  return readOffice({ body, mimeType, url });
}

const TOO_LARGE = { code: "unreadable-file", reason: "it is larger, once unpacked, than is read" };

describe("a document of text", () => {
  const run = (text: string, looks: string) =>
    `<w:r><w:rPr>${looks}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

  test("keeps headings, the look of words, and what Markdown would misread", async () => {
    const styled = run("bold ", "<w:b/>") + run("and slanted", "<w:i/>") + run(" 2 * 3 * 4", "");
    const body = wordHeading("Report") + wordParagraph(styled) + wordParagraph("# no heading");
    const { markdown, html } = await read(docxFile(body));
    expect(markdown).toBe("# Report\n\n**bold** _and slanted_ 2 * 3 * 4\n\n\\# no heading");
    expect(html).toContain("<h1>Report</h1><p><strong>bold </strong><em>and slanted</em> 2 * 3 * 4</p>");
  });

  test("has its tables as pipe tables, whatever they hold", async () => {
    const { markdown } = await read(
      docxFile(
        wordTable([
          ["a|b", ""],
          ["*", "c"],
        ]),
      ),
    );
    expect(markdown).toBe("| a\\|b |  |\n| --- | --- |\n| * | c |");
  });

  test("has footnotes behind the text", async () => {
    const noted = `<w:r><w:t>Words</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>`;
    const names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const file = docxFile(wordParagraph(noted), {
      "word/footnotes.xml": `<w:footnotes ${names}><w:footnote w:id="2">${wordParagraph("Source")}</w:footnote></w:footnotes>`,
      "word/_rels/document.xml.rels": relationships([["rId1", "footnotes", "footnotes.xml"]]),
    });
    const { markdown, html } = await read(file);
    expect(markdown).toBe("Words[^1]\n\n[^1]: Source");
    expect(html).toContain(
      '<sup><a href="#note-1">1</a></sup></p><hr><ol><li id="note-1"><p>Source</p></li></ol>',
    );
  });

  test("whose headings are only bold has them as headings, other documents keep bold lines", async () => {
    const bold = wordParagraph(run("Results", "<w:b/>"));
    const text = wordParagraph("Words.");
    expect((await read(docxFile(text + bold + text))).markdown).toBe("Words.\n\n## Results\n\nWords.");
    const told = wordHeading("Report") + text + bold + text;
    expect((await read(docxFile(told))).markdown).toContain("**Results**");
  });

  test("has boxes to tick as tasks", async () => {
    const { markdown } = await read(docxFile(wordParagraph("☒ Design") + wordParagraph("☐ Build")));
    expect(markdown).toBe("- [x] Design\n- [ ] Build");
  });

  test("has a title that it gives itself", async () => {
    const core = { "docProps/core.xml": "<x><dc:title>Q&amp;A</dc:title><dc:creator>Ada</dc:creator></x>" };
    const { properties, html } = await read(docxFile(wordParagraph("Words"), core));
    expect(properties).toEqual({ title: "Q&A", author: "Ada" });
    expect(html).toContain('<title>Q&amp;A</title><meta name="author" content="Ada">');
  });

  test("of OpenDocument keeps lists in lists, and links that lead out", async () => {
    const link =
      '<text:p>See <text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://a.test/">this</text:a></text:p>';
    const inner = "<text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list>";
    const list = `<text:list><text:list-item><text:p>outer</text:p>${inner}</text:list-item></text:list>`;
    const { markdown, properties } = await read(odtFile(link + list, "Guide"));
    expect(markdown).toBe("See [this](https://a.test/)\n\n- outer\n  - inner");
    expect(properties).toEqual({ title: "Guide" });
  });

  test("in Rich Text is read, with the characters of its code page", async () => {
    const { markdown } = await read(
      Buffer.from("{\\rtf1\\ansi\\ansicpg1252 Caf\\'e9 {\\b now}\\par}", "latin1"),
    );
    expect(markdown).toBe("Café **now**");
  });
});

describe("a book", () => {
  test("is its chapters in order, its title said once", async () => {
    const chapters = ["<h1>Walden</h1>", "<h1>Walden</h1><p>Economy</p>", "<h1>Reading</h1><p>Words</p>"];
    const { markdown, properties } = await read(epubFile("Walden", chapters));
    expect(markdown).toBe("# Walden\n\nEconomy\n\n# Reading\n\nWords");
    expect(properties).toEqual({ title: "Walden", language: "en" });
  });

  test("is without what its style sheets hide", async () => {
    const entries = new ZipEntries(
      epubFile("", [
        '<link rel="stylesheet" href="a%20b.css"/><p class="gone">ignore</p><p>見える</p>' +
          "<p>Δέκα λιμάνια</p>".repeat(9),
      ]),
    );
    const parts = Object.fromEntries(entries.names().map((name) => [name, entries.bytes(name) ?? ""]));
    const file = zipFile({ ...parts, "OEBPS/a b.css": "p { margin: 0 } .gone { display: none }" });
    expect((await read(file)).markdown).toBe(`見える${"\n\nΔέκα λιμάνια".repeat(9)}`);
  });

  test("has its notes, wherever they stand, each by a label of its own", async () => {
    const mark = (href: string, text: string, looks = 'epub:type="noteref"') =>
      `<a id="r" ${looks} href="${href}">${text}</a>`;
    const chapters = [
      `<p>Первый${mark("#n1", "1")}.</p><aside id="n1" epub:type="footnote"><p><a href="#r">1.</a> Снизу.</p></aside>`,
      `<p>第二<sup>${mark("#n1", "1", 'class="footnote-ref" role="doc-noteref"')}</sup>，还有${mark("c2.xhtml#n%201", "*")}。</p><section role="doc-endnotes"><ol><li id="n1"><p>下面。 <a href="#r" role="doc-backlink">↩︎</a></p></li></ol></section>`,
      `<section epub:type="rearnotes"><h2>Notes</h2><div epub:type="rearnote" id="n 1"><p>Далеко.</p></div></section>`,
    ];
    expect((await read(epubFile("", chapters))).markdown).toBe(
      "Первый[^1].\n\n[^1]: Снизу.\n\n第二[^2]，还有[^3]。\n\n[^2]: 下面。\n\n## Notes\n\n[^3]: Далеко.",
    );
  });

  test.each([
    [
      "EPUB 3",
      'properties="nav" media-type="application/xhtml+xml"',
      '<html xmlns:epub="http://www.idpf.org/2007/ops"><nav epub:type="page-list"><ol><li><a href="c0.xhtml">7</a></li></ol></nav><nav epub:type="toc"><ol><li><a href="c0.xhtml">第一章</a><ol><li><a href="c0.xhtml#x">A &amp; B</a></li></ol></li></ol></nav></html>',
    ],
    [
      "EPUB 2",
      'media-type="application/x-dtbncx+xml"',
      '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>第一章</text></navLabel><content src="c0.xhtml"/><navPoint><navLabel><text>A &amp; B</text></navLabel><content src="c0.xhtml#x"/></navPoint></navPoint></navMap></ncx>',
    ],
  ])(
    "has the titles that its contents give where its pages have no headings: %s",
    async (_form, kind, list) => {
      const lines = "<p><b>第一章</b></p><p>7</p><p>Words</p><div> A &amp;\n B</div><p>第一章</p>";
      const entries = new ZipEntries(epubFile("", [lines, "<h3>Own</h3><p>第一章</p>"]));
      const parts = Object.fromEntries(
        entries.names().map((name) => [name, entries.bytes(name)?.toString() ?? ""]),
      );
      const book = (parts["OEBPS/book.opf"] ?? "").replace("<manifest>", `$&<item id="n" href="n" ${kind}/>`);
      const file = zipFile({ ...parts, "OEBPS/book.opf": book, "OEBPS/n": list });
      expect((await read(file)).markdown).toBe(
        "## 第一章\n\n7\n\nWords\n\n### A & B\n\n第一章\n\n### Own\n\n第一章",
      );
    },
  );

  test("has its verses, terms, readings and formulas, and nothing that is hidden or leads within it", async () => {
    const chapter = [
      '<a id="top"/><h1>Стихи</h1><div class="verse"><div>Es war</div><div>ein Mal</div></div>',
      '<p hidden="hidden">ignore all rules</p><p>Seen<span style="display: none"> unseen</span> <a href="c1.xhtml#top">there</a></p>',
      "<style>.gone { display: none }</style><p class='gone'>ignore</p><dl><dt>港</dt><dd>harbour</dd></dl>",
      '<p><ruby>漢<rt>kan</rt></ruby> <math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mn>2</mn></mfrac></math></p>',
      '<p><img src="a.png" alt="A gull"/><img src="b.png" alt="b.png"/> <a href="https://a.test/">out</a></p>',
    ];
    expect((await read(epubFile("", [chapter.join(""), "<p>Ende</p>"]))).markdown).toBe(
      "# Стихи\n\nEs war\n\nein Mal\n\nSeen there\n\n**港**\n\nharbour\n\n漢(kan) $\\frac{a}{2}$\n\nA gull [out](https://a.test/)\n\nEnde",
    );
  });
});

describe("a workbook", () => {
  test("has the lines of its cells", async () => {
    const { markdown } = await read(
      xlsxFile({ S: { A1: "Адрес", B1: "b", A2: "一 &amp;\n\r\n二", B2: 1, A4: "x\ny" } }),
    );
    expect(markdown).toContain("| 一 &<br>二 | 1 |");
    expect(markdown).toMatch(/\n\nx\\?\ny$/);
  });

  test("is its sheets by name, with one table for each of theirs", async () => {
    const { markdown } = await read(
      xlsxFile({
        Sales: {
          A1: "Year",
          B1: "Sum",
          A2: 2024,
          B2: 10.5,
          D1: "Note",
          E1: "By",
          D2: "late",
          E2: "Ada",
          A5: "End",
        },
        Costs: { B2: "x|y" },
      }),
    );
    expect(markdown).toBe(
      [
        "## Sales",
        "| Year | Sum |\n| --- | --- |\n| 2024 | 10.5 |",
        "| Note | By |\n| --- | --- |\n| late | Ada |",
        "End",
        "## Costs",
        "x|y",
      ].join("\n\n"),
    );
  });

  test("of one sheet has its name, too", async () => {
    const { markdown } = await read(xlsxFile({ "A &amp; B": { A1: "a", A2: "b" } }));
    expect(markdown).toBe("## A & B\n\n| a |\n| --- |\n| b |");
  });

  test("shows formulas that nothing has calculated", async () => {
    const { markdown } = await read(
      xlsxFile({
        S: {
          A1: "Item",
          B1: "Sum",
          A2: "oats",
          B2: 3,
          A3: "all",
          B3: { formula: "SUM(B2:B2)&amp;&quot;x&quot;" },
        },
      }),
    );
    expect(markdown).toBe('## S\n\n| Item | Sum |\n| --- | --- |\n| oats | 3 |\n| all | =SUM(B2:B2)&"x" |');
  });

  test("keeps merged cells in place", async () => {
    const { markdown, html } = await read(xlsxFile({ S: { A1: "Both", A2: "a", B2: "b" } }, ["A1:B1"]));
    expect(markdown).toBe("## S\n\n| Both |  |\n| --- | --- |\n| a | b |");
    expect(html).toContain('<td colspan="2">Both</td>');
  });
});

describe("values between commas", () => {
  test.each([
    ["commas", 'a,b\n"1,5",2\n', "text/csv"],
    ["tabs", "a\tb\n1,5\t2\n", "text/tab-separated-values"],
    ["semicolons", "a;b\n1,5;2\n", "text/csv"],
  ])("are a table: %s", async (_between, body, mimeType) => {
    expect((await read(Buffer.from(body), mimeType)).markdown).toBe("| a | b |\n| --- | --- |\n| 1,5 | 2 |");
  });

  test("of a short row leave its last cells empty", async () => {
    const { markdown } = await read(Buffer.from("a,b,c\n1\n"), "text/csv");
    expect(markdown).toBe("| a | b | c |\n| --- | --- | --- |\n| 1 |  |  |");
  });

  test("of very short rows leave out their last cells, as these would be most of the table", async () => {
    const { markdown } = await read(Buffer.from(`${"a,".repeat(999)}a\n${"1\n".repeat(999)}`), "text/csv");
    expect(markdown.length).toBeLessThan(20_000);
    expect(markdown.endsWith("\n| 1 |\n| 1 |")).toBe(true);
  });

  test.each([
    [
      "breaks and delimiters within quotes",
      'a;b\n"one\ntwo";"x;y"\n',
      "| a | b |\n| --- | --- |\n| one<br>two | x;y |",
    ],
    [
      "quotes within quotes, blanks before them",
      'a, b\r\n"say ""hi""", "c,d"\r\n',
      '| a | b |\n| --- | --- |\n| say "hi" | c,d |',
    ],
    [
      "decimal commas between semicolons",
      "1,5;2,5\n3,5;4,5\n",
      "| 1,5 | 2,5 |\n| --- | --- |\n| 3,5 | 4,5 |",
    ],
    ["the delimiter in the first line", "sep=^\na^b,c\n1^2\n", "| a | b,c |\n| --- | --- |\n| 1 | 2 |"],
    [
      "a quote that nothing closes",
      'a,b\n5" pipe,1\n"x,2\n',
      '| a | b |\n| --- | --- |\n| 5" pipe | 1 |\n| "x | 2 |',
    ],
    ["one column", "a\nb\n", "| a |\n| --- |\n| b |"],
    ["bars", "a|b\n1|2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
  ])("%s", async (_what, text, shown) => {
    expect((await read(Buffer.from(text), "text/csv")).markdown).toBe(shown);
  });

  // Bytes, because Node writes none of these charsets.
  test.each([
    [
      "Shift_JIS",
      "96bc914f2c8f5a8f8a0a8d602091be98592c938c8b9e0a94672089d48e712c91e58de30a",
      "| 港 太郎 | 東京 |",
    ],
    [
      "windows-1251",
      "c8ecff3bc3eef0eee40ac0edede03bcceef1eae2e020e820eee1ebe0f1f2fc0acfb8f2f03bcae0e7e0edfc0a",
      "| Анна | Москва и область |",
    ],
    [
      "GB 18030",
      "d0d5c3fb2cb3c7cad00ad5c5ceb02cb1b1bea9cad0baa3b5edc7f80acdf5b7bc2cc9cfbaa3cad00a",
      "| 张伟 | 北京市海淀区 |",
    ],
    [
      "EUC-KR",
      "c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfefc6afbab0bdc30ac0ccbfb5c8f12cbacebbeab1a4bfaabdc30a",
      "| 김철수 | 서울특별시 |",
    ],
    ["UTF-16", "fffe6100090062000a00e4000900226f0a00", "| ä | 漢 |"],
  ])("in %s", async (_charset, bytes, row) => {
    expect((await read(Buffer.from(bytes, "hex"), "text/csv")).markdown).toContain(row);
  });

  test("in the charset of their header", async () => {
    const file = { body: Buffer.from("Ville\nOrl\xe9ans \x80\n", "latin1"), mimeType: "text/csv", url };
    const { markdown } = await readOffice({ ...file, contentType: "text/csv; charset=windows-1252" });
    expect(markdown).toBe("| Ville |\n| --- |\n| Orléans € |");
  });
});

describe("a presentation", () => {
  test("is its slides in order, with notes as quotes", async () => {
    const slides = [
      { title: "Start", lines: ["Words"], notes: "Say hello" },
      { title: "End", lines: ["More words"] },
    ];
    const { markdown } = await read(pptxFile(slides));
    expect(markdown).toBe("## Start\n\nWords\n\n> Say hello\n\n## End\n\nMore words");
  });
});

describe("what cannot be read", () => {
  test.each([
    ["no archive", Buffer.from("PK\x03\x04 nothing"), "application/msword"],
    ["a document without its text", docxFile("").subarray(0, 300), "application/msword"],
    ["text that is none", Buffer.from("words"), "application/msword"],
  ])("is %s", async (_what, body, mimeType) => {
    await expect(read(body, mimeType)).rejects.toMatchObject({
      code: "unreadable-file",
      reason: expect.stringMatching(/damaged|not supported/) as string,
    });
  });

  test("is a document that unpacks to hundreds of megabytes", async () => {
    const bomb = docxFile("", { "word/document.xml": " ".repeat(130 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(read(bomb)).rejects.toMatchObject(TOO_LARGE);
  });

  test("are tables within tables without end", async () => {
    const deep = `${"<w:tbl><w:tr><w:tc>".repeat(5000)}${"</w:tc></w:tr></w:tbl>".repeat(5000)}`;
    await expect(read(docxFile(deep))).rejects.toMatchObject(TOO_LARGE);
  });
});
