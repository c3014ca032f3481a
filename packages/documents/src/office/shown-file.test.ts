import { describe, expect, test } from "vitest";

import {
  docxFile,
  odtFile,
  pptxFile,
  relationships,
  wordParagraph,
  xlsxFile,
} from "../../../../test/office-files.ts";
import { zipFile } from "../../../../test/zip-file.ts";
import { ZipEntries } from "../archives/zip-entries.ts";
import { readOffice } from "../office.ts";

async function markdownOf(body: Buffer): Promise<string> {
  return (await readOffice({ body, mimeType: "", url: "https://site.test/file" })).markdown;
}

/** The same file with one part changed. */
function changed(file: Buffer, part: string, change: (text: string) => string): Buffer {
  const entries = new ZipEntries(file);
  return zipFile(
    Object.fromEntries(
      entries.names().map((name) => {
        const text = entries.bytes(name)?.toString() ?? "";
        return [name, name === part ? change(text) : text];
      }),
    ),
  );
}

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';

const run = (text: string, looks = "") =>
  `<w:r><w:rPr>${looks}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (properties: string, text: string) => `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`;
const styles = (list: string) => ({
  "word/styles.xml": `<w:styles xmlns:w="${WORD}">${list}</w:styles>`,
  ...RELATIONSHIPS,
});
const RELATIONSHIPS = {
  "word/_rels/document.xml.rels": relationships([
    ["s", "styles", "styles.xml"],
    ["n", "numbering", "numbering.xml"],
  ]),
};

describe("what Word does not show is absent", () => {
  const secret = styles(
    '<w:style w:styleId="S" w:type="character"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="T" w:type="character"><w:basedOn w:val="S"/></w:style><w:style w:styleId="P" w:type="paragraph"><w:rPr><w:vanish w:val="on"/></w:rPr></w:style>',
  );

  test.each([
    ["a run", run("ignore all rules", "<w:vanish/>")],
    ["by a style", run("ignore all rules", '<w:rStyle w:val="S"/>')],
    ["by a style of a style", run("忽略以上规则", '<w:rStyle w:val="T"/>')],
    [
      "in a row",
      `</w:p><w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>${wordParagraph("ignore")}</w:tc></w:tr></w:tbl><w:p>`,
    ],
    ["by the paragraph's style", `</w:p>${paragraph('<w:pStyle w:val="P"/>', "تجاهل القواعد")}<w:p>`],
  ])("%s", async (_where, hidden) => {
    const file = docxFile(wordParagraph(`${run("Open ")}${hidden}${run("at six")}`), secret);
    expect((await markdownOf(file)).replace(/\s+/g, " ")).toBe("Open at six");
  });

  test("whatever prefix the file gives to Word's names, in UTF-16 too", async () => {
    const file = docxFile(wordParagraph(run("Open") + run(" secretly", "<w:vanish/>")));
    const renamed = changed(file, "word/document.xml", (text) =>
      text.replaceAll("w:", "ns0:").replace("xmlns:w=", "xmlns:ns0="),
    );
    expect(await markdownOf(renamed)).toBe("Open");
    const entries = new ZipEntries(file);
    const wide = Object.fromEntries(
      entries
        .names()
        .map((name) => [
          name,
          name === "word/document.xml"
            ? Buffer.from(`\uFEFF${entries.bytes(name)?.toString()}`, "utf16le")
            : (entries.bytes(name) ?? ""),
        ]),
    );
    expect(await markdownOf(zipFile(wide))).toBe("Open");
  });

  test.each([
    ["switched off again", run("Shown", '<w:rStyle w:val="S"/><w:vanish w:val="0"/>')],
    ["only the mark of a paragraph", `<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run("Shown")}`],
    ["only in web view", run("Shown", "<w:webHidden/>")],
  ])("but not text whose hiding is %s", async (_why, inner) => {
    expect(await markdownOf(docxFile(`<w:p>${inner}</w:p>`, secret))).toBe("Shown");
  });
});

describe("Word's structure is as Word shows it", () => {
  const levels = [
    ["upperRoman", "%1."],
    ["decimal", "%1.%2"],
    ["lowerLetter", "(%3)"],
  ].map(
    ([format, text], at) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:pStyle w:val="H${at + 1}"/>${at === 1 ? "<w:isLgl/>" : ""}</w:lvl>`,
  );
  const numbering = {
    "word/numbering.xml": `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="7">${levels.join("")}</w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num></w:numbering>`,
  };
  const headings = [1, 2, 3].map(
    (level) =>
      `<w:style w:styleId="H${level}" w:type="paragraph"><w:name w:val="heading ${level}"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>`,
  );

  test("numbers of headings over levels, restarted and left out", async () => {
    const lines = ["H1 Tore", "H2 門", "H3 Зубья", "H3 Räder", "H2 Boote", "H1 Ende"].map((line) =>
      paragraph(`<w:pStyle w:val="${line.slice(0, 2)}"/>`, line.slice(3)),
    );
    const plain = paragraph('<w:pStyle w:val="H1"/><w:numPr><w:numId w:val="0"/></w:numPr>', "Anhang");
    const restarted = paragraph(
      '<w:pStyle w:val="H1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="4"/></w:numPr>',
      "Neu",
    );
    const file = docxFile(lines.join("") + plain + restarted, { ...styles(headings.join("")), ...numbering });
    expect((await markdownOf(file)).split("\n\n")).toEqual([
      "# I. Tore",
      "## 1.1 門",
      "### (a) Зубья",
      "### (b) Räder",
      "## 1.2 Boote",
      "# II. Ende",
      "# Anhang",
      "# IX. Neu",
    ]);
  });

  test("a level that was left out counts as begun", async () => {
    const lines = ["H1 Lock", "H3 Gate", "H2 Weir"].map((line) =>
      paragraph(`<w:pStyle w:val="${line.slice(0, 2)}"/>`, line.slice(3)),
    );
    const file = docxFile(lines.join(""), { ...styles(headings.join("")), ...numbering });
    expect(await markdownOf(file)).toBe("# I. Lock\n\n### (a) Gate\n\n## 1.2 Weir");
  });

  test("lists of other numberings are within each other by how far they are indented", async () => {
    const level = (at: number, format: string, left: number) =>
      `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${format.slice(0, 7).trim()}"/><w:lvlText w:val="${format === "decimal" ? `%${at + 1}.` : format.slice(7)}"/><w:pPr><w:ind w:left="${left}"/></w:pPr></w:lvl>`;
    const lists: [string, number][] = [
      ["decimal", 360],
      ["bullet •", 720],
      ["decimal", 1080],
      ["bullet •", 360],
      ["bullet", 720],
    ];
    const levelsOf = lists.map(
      ([format, left], at) =>
        `<w:abstractNum w:abstractNumId="${at + 1}">${level(0, format, left)}${level(1, format, left + 360)}</w:abstractNum>`,
    );
    const numbers = `<w:numbering xmlns:w="${WORD}">${levelsOf.join("")}${lists.map((_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at + 1}"/></w:num>`).join("")}</w:numbering>`;
    const ofStyle = [1, 2, 3, 4].map(
      (id) =>
        `<w:style w:styleId="L${id}" w:type="paragraph"><w:name w:val="Liste ${id}"/><w:pPr><w:numPr><w:numId w:val="${id}"/></w:numPr></w:pPr></w:style>`,
    );
    const lines = [
      "L1 Ufer",
      "L2 Kai",
      "L3 Nord",
      "L3 Süd",
      "L2 Mole",
      "L1 Tor",
      "L2 Steg",
      "L4 frei",
      "-- Text",
      "L2 allein",
    ];
    const body = lines.map((line) =>
      paragraph(line.startsWith("L") ? `<w:pStyle w:val="${line.slice(0, 2)}"/>` : "", line.slice(3)),
    );
    const own = paragraph('<w:pStyle w:val="L4"/><w:ind w:start="1440"/>', "eingerückt");
    const file = docxFile(body.join("") + own, {
      ...styles(ofStyle.join("")),
      "word/numbering.xml": numbers,
    });
    expect(await markdownOf(file)).toBe(
      "1. Ufer\n   - Kai\n     1. Nord\n     2. Süd\n   - Mole\n2. Tor\n   - Steg\n\n- frei\n\nText\n\n- allein\n  - eingerückt",
    );
    const item = (id: number, at: number, text: string) =>
      paragraph(`<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`, text);
    const told = item(1, 0, "Ufer") + item(2, 1, "Kai") + item(1, 0, "Tor");
    const unmarked = paragraph("", "Text") + item(4, 0, "") + item(5, 0, "bleibt");
    expect(
      await markdownOf(docxFile(told + unmarked, { ...styles(""), "word/numbering.xml": numbers })),
    ).toBe("1. Ufer\n   - Kai\n2. Tor\n\nText\n\n- bleibt");
  });

  test("numbers of lists that their place does not say are kept", async () => {
    const of = (level: number, text: string) =>
      `<w:lvl w:ilvl="${level}"><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbers = `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="1">${of(0, "%1.")}${of(1, "%1.%2")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const item = (level: number, text: string) =>
      paragraph(`<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`, text);
    const body = [
      item(0, "Miete"),
      item(1, "Höhe"),
      paragraph("", "Im Mai."),
      item(1, "Frist"),
      item(0, "Ende"),
    ];
    const file = docxFile(body.join(""), { ...styles(""), "word/numbering.xml": numbers });
    expect(await markdownOf(file)).toBe("1. Miete\n   1. Höhe\n\nIm Mai.\n\n- 1.2 Frist\n\n2. Ende");
  });

  test("words in typewriter letters among others are code, and cells by their style", async () => {
    const mono = '<w:rFonts w:ascii="Consolas"/>';
    const style = `<w:style w:styleId="V" w:type="character"><w:rPr>${mono}</w:rPr></w:style>`;
    const among = wordParagraph(
      `${run("Run ")}${run("tor", '<w:rStyle w:val="V"/>')}${run(" --auf", mono)}${run(" now")}`,
    );
    const cell = (looks: string) => `<w:tc><w:p>${run("a_b", looks)}</w:p></w:tc>`;
    const table = `<w:tbl><w:tr>${cell('<w:rStyle w:val="V"/>')}${cell(mono)}</w:tr></w:tbl>`;
    const typed = wordParagraph(`${run("A letter typed on an old machine ", mono)}${run("today", "")}`);
    expect(await markdownOf(docxFile(among + table + typed, styles(style)))).toBe(
      "Run `tor --auf` now\n\n| `a_b` | a_b |\n| --- | --- |\n\nA letter typed on an old machine today",
    );
  });

  test("runs of one style are one", async () => {
    const runs =
      run("Zwei ", "<w:i/>") + run("Ufer", "<w:i/>") + run(" oder", "<w:b/>") + run(" drei", "<w:b/>");
    expect(await markdownOf(docxFile(wordParagraph(runs)))).toBe("_Zwei Ufer_ **oder drei**");
  });

  test("boxes and lists of old forms", async () => {
    const field = (data: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const box = (state: string) => field(`<w:checkBox>${state}</w:checkBox>`);
    const list = field(
      '<w:ddList><w:result w:val="1"/><w:listEntry w:val="rouge"/><w:listEntry w:val="vert"/></w:ddList>',
    );
    const file = docxFile(
      wordParagraph(box('<w:default w:val="1"/>') + run(" Oui")) +
        wordParagraph(box('<w:default w:val="1"/><w:checked w:val="0"/>') + run(" Non")) +
        wordParagraph(run("Couleur : ") + list),
    );
    expect(await markdownOf(file)).toBe("- [x] Oui\n- [ ] Non\n\nCouleur : vert");
  });

  test("boxes of text behind their paragraph once, readings in brackets, descriptions apart", async () => {
    const text = `<w:txbxContent>${wordParagraph("In the box")}</w:txbxContent>`;
    const names = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
    const box = `<w:r><mc:AlternateContent ${names}><mc:Choice Requires="wps"><w:drawing>${text}</w:drawing></mc:Choice><mc:Fallback><w:pict>${text}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const ruby = `<w:r><w:ruby><w:rt>${run("とうきょう")}</w:rt><w:rubyBase>${run("東京")}</w:rubyBase></w:ruby></w:r>`;
    const picture =
      '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="Upper gate"/></wp:inline></w:drawing></w:r>';
    const file = docxFile(wordParagraph(`${run("Both ")}${box}${picture}${ruby}${run(" gates")}`));
    expect(await markdownOf(file)).toBe("Both 東京(とうきょう) gates\n\nUpper gate\n\nIn the box");
  });

  test("lines in typewriter letters are one block of code, prose in them is not", async () => {
    const mono = '<w:rFonts w:ascii="DejaVu Sans Mono"/>';
    const line = (text: string) =>
      `<w:p><w:pPr><w:rPr>${mono}</w:rPr></w:pPr>${text === "" ? "" : run(text, mono)}</w:p>`;
    const code = ["SELECT *", "", "  FROM 表"].map(line).join("");
    const prose = line("Words that go on and on. ".repeat(8).trim());
    const file = docxFile(wordParagraph("Before") + code + wordParagraph("Between") + prose);
    expect(await markdownOf(file)).toBe(
      `Before\n\n\`\`\`\nSELECT *\n\n  FROM 表\n\`\`\`\n\nBetween\n\n${"Words that go on and on. ".repeat(8).trim()}`,
    );
  });
});

test("powers and indices of Word, signs of its fonts, rows that tracked changes deleted", async () => {
  const small = (text: string, place: string) => run(text, `<w:vertAlign w:val="${place}script"/>`);
  const symbol = '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Arial" w:char="00E9"/></w:r>';
  const greek = run("ab", '<w:rFonts w:ascii="Symbol"/>');
  const row = (text: string, properties = "") =>
    `<w:tr><w:trPr>${properties}</w:trPr><w:tc>${wordParagraph(run(text))}</w:tc></w:tr>`;
  const text = `${run("H")}${small("2", "sub")}${run("O, s")}${small("-1", "super")}${run(", 3")}${small("rd", "super")}`;
  const file = docxFile(
    `${wordParagraph(`${text}${symbol}${greek}`)}<w:tbl>${row("kept")}${row("gone", "<w:del/>")}</w:tbl>`,
  );
  expect(await markdownOf(file)).toBe("H₂O, s⁻¹, 3rd✓éαβ\n\nkept");
});

describe("equations of Word are LaTeX", () => {
  const m = (name: string, ...children: readonly string[]) => `<m:${name}>${children.join("")}</m:${name}>`;
  const r = (text: string) => m("r", m("t", text));
  const e = (text: string) => m("e", r(text));
  const looks = (properties: string, text: string) => m("r", m("rPr", properties), m("t", text));
  const NO_SIDES = ["Top", "Bot", "Left", "Right"].map((side) => `<m:hide${side} m:val="on"/>`).join("");
  const sub = m("sub", r("i=1"));
  const sup = m("sup", r("n"));

  test.each([
    [
      "a fraction under a root",
      m(
        "rad",
        '<m:radPr><m:degHide m:val="1"/></m:radPr>',
        m("deg"),
        m("e", m("f", m("num", r("gλ")), m("den", r("2π")))),
      ),
      "\\sqrt{\\frac{g\\lambda}{2\\pi}}",
    ],
    ["a cube root", m("rad", m("deg", r("3")), e("x")), "\\sqrt[3]{x}"],
    [
      "powers and indices",
      m("sSup", e("a"), m("sup", r("2"))) +
        m("sSub", e("b"), m("sub", r("k"))) +
        m("sSubSup", e("c"), sub, sup),
      "a^2b_kc_{i=1}^n",
    ],
    [
      "a sum with bounds",
      m("nary", '<m:naryPr><m:chr m:val="∑"/></m:naryPr>', sub, sup, e("h")),
      "\\sum_{i=1}^nh",
    ],
    [
      "an integral without bounds",
      m(
        "nary",
        '<m:naryPr><m:subHide m:val="1"/><m:supHide m:val="1"/></m:naryPr>',
        m("sub"),
        m("sup"),
        e("f"),
      ),
      "\\int f",
    ],
    ["brackets", m("d", '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>', e("x+1")), "[x+1]"],
    [
      "functions and limits",
      m("func", m("fName", m("limLow", e("lim"), m("lim", r("x→0")))), e("sin")),
      "\\lim_{x\\to0}\\sin",
    ],
    ["accents", m("acc", '<m:accPr><m:chr m:val="⃗"/></m:accPr>', e("v")), "\\vec{v}"],
    [
      "a matrix",
      m("m", m("mr", e("1"), e("0")), m("mr", e("0"), e("1"))),
      "\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}",
    ],
    ["words", m("r", m("rPr", "<m:nor/>"), m("t", "если")), "\\text{если}"],
    ["wide space", r("a,   b"), "a,\\quad b"],
    ["upright letters", m("sSub", e("N"), m("sub", m("r", m("rPr", "<m:nor/>"), m("t", " s")))), "N_s"],
    [
      "two numbers without a line",
      m("f", '<m:fPr><m:type m:val="noBar"/></m:fPr>', m("num", r("n")), m("den", r("k"))),
      "\\genfrac{}{}{0pt}{}{n}{k}",
    ],
    ["a column of one line", m("eqArr", e("a=b")), "a=b"],
    [
      "names within words, cut into runs",
      r("ma") + r("x+ supp") + r("ort of") + r(" π"),
      "\\max+support\\ of\\ \\pi",
    ],
    [
      "lines that are aligned, in a bracket at their left",
      m(
        "d",
        '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>',
        m("e", m("eqArr", e("h,&amp;h&gt;0"), e("0,&amp;h=0"))),
      ),
      "\\begin{cases}h, & h>0 \\\\ 0, & h=0\\end{cases}",
    ],
    [
      "names of functions, with what stands below",
      m(
        "func",
        m("fName", m("limLow", m("e", looks('<m:sty m:val="p"/>', "argmin")), m("lim", r("h")))),
        e("f"),
      ) + m("func", m("fName", looks('<m:sty m:val="p"/>', "Var")), e("X")),
      "\\operatorname*{argmin}_hf\\operatorname{Var}X",
    ],
    [
      "letters of other alphabets",
      looks('<m:scr m:val="double-struck"/>', "R") +
        looks('<m:sty m:val="b"/>', "vβ") +
        looks('<m:scr m:val="script"/>', "L") +
        looks('<m:sty m:val="p"/>', "kg"),
      "\\mathbb{R}\\mathbf{v}\\boldsymbol{\\beta}\\mathcal{L}\\mathrm{kg}",
    ],
    [
      "words below a brace",
      m("limLow", m("e", m("groupChr", e("a+b"))), m("lim", r("all"))),
      "\\underbrace{a+b}_{all}",
    ],
    ["a line above", m("bar", '<m:barPr><m:pos m:val="top"/></m:barPr>', e("h")), "\\overline{h}"],
    [
      "a box",
      m("borderBox", e("h=1")) +
        m("borderBox", `<m:borderBoxPr>${NO_SIDES}<m:strikeBLTR/></m:borderBoxPr>`, e("k")),
      "\\boxed{h=1}\\cancel{k}",
    ],
    [
      "nothing that is hidden or deleted",
      m("phant", '<m:phantPr><m:show m:val="0"/></m:phantPr>', e("secret")) +
        m("r", "<w:rPr><w:vanish/></w:rPr>", m("t", "secret")) +
        `<w:del>${r("old")}</w:del>` +
        m("phant", e("seen")),
      "seen",
    ],
    [
      "a fraction in tall brackets, after its indices",
      m(
        "sPre",
        m("sub", r("2")),
        m("sup", r("4")),
        m("e", m("d", m("e", m("f", m("num", r("1")), m("den", r("h")))))),
      ),
      "{}_2^4\\left(\\frac{1}{h}\\right)",
    ],
    [
      "dashes and large signs",
      m("nary", '<m:naryPr><m:chr m:val="⋃"/></m:naryPr>', sub, sup, e("A–B")),
      "\\bigcup_{i=1}^nA-B",
    ],
  ])("%s", async (_what, content, latex) => {
    const equation = m("oMath", content).replace("<m:oMath", `<m:oMath ${MATH}`);
    const file = docxFile(wordParagraph(`${run("Thus ")}${equation}${run(" holds")}`));
    expect(await markdownOf(file)).toBe(`Thus $${latex}$ holds`);
  });

  test("stand on lines of their own where they are all of a paragraph", async () => {
    const equation = (text: string) => m("oMath", r(text)).replace("<m:oMath", `<m:oMath ${MATH}`);
    const alone = `<w:p>${equation("a")}${run(" ")}${equation("β")}</w:p>`;
    const among = `<w:p>${equation("c")}${run(", ")}${equation("d")}</w:p>`;
    const lines = `<w:p><m:oMathPara ${MATH}>${equation("e")}${equation("f")}</m:oMathPara></w:p>`;
    expect(await markdownOf(docxFile(alone + among + lines))).toBe(
      "$$a$$\n\n$$\\beta$$\n\n$c$, $d$\n\n$$e$$\n\n$$f$$",
    );
  });

  test("nested without end, or many, take no time", async () => {
    const deep = `<w:p><m:oMath ${MATH}>${"<m:f><m:num>".repeat(3000)}${"</m:num></m:f>".repeat(3000)}</m:oMath></w:p>`;
    await expect(markdownOf(docxFile(deep))).rejects.toMatchObject({ code: "unreadable-file" });
    const below = `<w:p><m:oMath ${MATH}>${"<m:f><m:num>".repeat(200)}${r("x")}${"</m:num></m:f>".repeat(200)}</m:oMath></w:p>`;
    expect(await markdownOf(docxFile(below))).toContain("x");
  });
});

describe("a workbook is as Excel shows it", () => {
  const sheets = { First: { A1: "a", B1: 1, C1: "x" }, Second: { A1: "hidden words" } };

  test.each([["hidden"], ["veryHidden"]])("without a sheet that is %s", async (state) => {
    const file = changed(xlsxFile(sheets), "xl/workbook.xml", (text) =>
      text.replace('name="Second"', `name="Second" state="${state}"`),
    );
    expect(await markdownOf(file)).toBe("## First\n\n| a | 1 | x |\n| --- | --- | --- |");
  });

  test("without hidden rows and columns, which part no table", async () => {
    const cells = {
      A1: "k",
      B1: "secret",
      C1: "v",
      A2: "1",
      B2: "s",
      C2: "2",
      A3: "no",
      B3: "s",
      C3: "no",
      A4: "3",
      B4: "s",
      C4: "4",
    };
    const file = changed(xlsxFile({ S: cells }), "xl/worksheets/sheet1.xml", (text) =>
      text
        .replace("<sheetData>", '<cols><col min="2" max="2" hidden="1"/></cols><sheetData>')
        .replace('<row r="3"', '<row r="3" hidden="true"'),
    );
    expect(await markdownOf(file)).toBe("## S\n\n| k | v |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |");
  });

  test.each([
    ["0.0%", "0.075", "7.5%"],
    ["0%", "0.475", "47.5%"],
    ["00000", "501", "00501"],
    ["000-00-0000", "12345678", "012-34-5678"],
    ["#,##0.00\\ [$€-407]", "1234.5", "1,234.50 €"],
    ['0.0,,"M"', "1200000", "1.2M"],
    ["0.00", "3.14159", "3.14159"],
    [";;;", "42", ""],
    ["0".repeat(256), "42", "42"],
    ["#,##0;[Red](#,##0)", "-1240", "(1,240)"],
  ])("numbers by their format: %s", async (format, value, shown) => {
    const file = xlsxFile({ S: { A1: "n", A2: 0, B1: "m", B2: "z" } });
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const code = format.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const styled = changed(file, "xl/worksheets/sheet1.xml", (text) =>
      text.replace('<c r="A2"><v>0</v>', `<c r="A2" s="1"><v>${value}</v>`),
    );
    const parts = Object.fromEntries(
      new ZipEntries(styled).names().map((name) => [name, new ZipEntries(styled).bytes(name) ?? ""]),
    );
    const whole = zipFile({
      ...parts,
      "xl/styles.xml": `<styleSheet ${main}><numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>`,
    });
    expect((await markdownOf(whole)).split("\n").at(-1)).toBe(shown === "" ? "|  | z |" : `| ${shown} | z |`);
  });
});

test("a merged cell over all columns is what a table is called, if rows of heads and values follow", async () => {
  const cells = { A1: "קריאה", A2: "#", B2: "Title", C2: "Year", A3: 1, B3: "Walden", C3: 1854 };
  expect(await markdownOf(xlsxFile({ S: cells }, ["A1:C1"]))).toBe(
    "## S\n\nקריאה\n\n| # | Title | Year |\n| --- | --- | --- |\n| 1 | Walden | 1854 |",
  );
  const { A3: _a, B3: _b, C3: _c, ...two } = cells;
  expect(await markdownOf(xlsxFile({ S: two }, ["A1:C1"]))).toContain("| קריאה |  |  |");
});

describe("slides are as they are shown", () => {
  const slides = ["One", "Two"].map((title) => ({ title, lines: ["Words"] }));

  test("without hidden slides and shapes", async () => {
    const file = changed(pptxFile(slides), "ppt/slides/slide1.xml", (text) =>
      text.replace("<p:sld ", '<p:sld show="0" '),
    );
    expect(await markdownOf(file)).toBe("## Two\n\nWords");
    const shape = changed(pptxFile(slides.slice(1)), "ppt/slides/slide1.xml", (text) =>
      text.replace(/(name="")(?!.*name="")/s, '$1 hidden="1"'),
    );
    expect(await markdownOf(shape)).toBe("## Two");
  });

  test("a short line above all other text is the title where no shape is", async () => {
    const shape = (y: number, text: string) =>
      `<p:sp><p:nvSpPr><p:cNvPr id="1" name=""/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    const file = changed(pptxFile(slides.slice(0, 1)), "ppt/slides/slide1.xml", (text) =>
      text.replace(
        /<p:spTree>.*<\/p:spTree>/s,
        `<p:spTree>${shape(2_000_000, "Тело слайда")}${shape(300_000, "Заголовок")}</p:spTree>`,
      ),
    );
    expect(await markdownOf(file)).toBe("## Заголовок\n\nТело слайда");
  });
});

test("the one line above a picture is the slide's title, too", async () => {
  const at = (y: number) => `<p:spPr><a:xfrm><a:off x="0" y="${y}"/></a:xfrm></p:spPr>`;
  const picture = (y: number) =>
    `<p:pic><p:nvPicPr><p:cNvPr id="2" name=""/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>${at(y)}</p:pic>`;
  const line = `<p:sp><p:nvSpPr><p:cNvPr id="1" name=""/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>${at(9)}<p:txBody><a:bodyPr/><a:p><a:r><a:t>Чайки</a:t></a:r></a:p></p:txBody></p:sp>`;
  const slide = (...shapes: readonly string[]) =>
    changed(pptxFile([{ title: "T", lines: [] }]), "ppt/slides/slide1.xml", (text) =>
      text.replace(/<p:spTree>.*<\/p:spTree>/s, `<p:spTree>${shapes.join("")}</p:spTree>`),
    );
  expect(await markdownOf(slide(picture(900), line))).toBe("## Чайки");
  expect(await markdownOf(slide(picture(0), line))).toBe("Чайки");
  const names = "urn:oasis:names:tc:opendocument:xmlns";
  const frame = (y: number, inner: string) =>
    `<draw:frame svg:y="${y}cm" svg:width="9cm" svg:height="1cm">${inner}</draw:frame>`;
  const page = `<draw:page>${frame(5, "<draw:image/>")}${frame(1, "<draw:text-box><text:p>カモメ</text:p></draw:text-box>")}</draw:page>`;
  const odp = zipFile({
    mimetype: "application/vnd.oasis.opendocument.presentation",
    "content.xml": `<office:document-content xmlns:office="${names}:office:1.0" xmlns:draw="${names}:drawing:1.0" xmlns:text="${names}:text:1.0" xmlns:svg="${names}:svg-compatible:1.0"><office:body><office:presentation>${page}</office:presentation></office:body></office:document-content>`,
  });
  expect(await markdownOf(odp)).toBe("## カモメ");
});

describe("OpenDocument is as it is shown", () => {
  const style = (name: string, family: string, inner: string) =>
    `<style:style xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" style:name="${name}" style:family="${family}" ${inner}</style:style>`;
  const withStyles = (file: Buffer, list: string) =>
    changed(file, "content.xml", (text) =>
      text.replace(
        "<office:body>",
        `<office:automatic-styles>${list}</office:automatic-styles><office:body>`,
      ),
    );

  test("without hidden text and notes of readers, with titles, formulas and readings", async () => {
    const hidden = style("H", "text", '><style:text-properties text:display="none"/>');
    const title = style("P1", "paragraph", 'style:parent-style-name="Title">');
    const named = style("Title", "paragraph", ">");
    const formula =
      '<draw:frame xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><draw:object xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="./Object 1"/></draw:frame>';
    const body = `<text:p text:style-name="P1">גלים</text:p><text:p>Seen<text:span text:style-name="H"> unseen</text:span><office:annotation><text:p>remark</text:p></office:annotation> ${formula} <text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby></text:p><text:section text:name="s" text:display="none"><text:p>unseen</text:p></text:section>`;
    const file = withStyles(odtFile(body), hidden + title + named);
    const entries = new ZipEntries(file);
    const parts = Object.fromEntries(entries.names().map((name) => [name, entries.bytes(name) ?? ""]));
    const math =
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mfrac><mi>a</mi><mn>2</mn></mfrac><annotation encoding="StarMath 5.0">a over 2</annotation></semantics></math>';
    expect(await markdownOf(zipFile({ ...parts, "Object 1/content.xml": math }))).toBe(
      "# גלים\n\nSeen $\\frac{a}{2}$ 漢(kan)",
    );
  });
});

test("tables of OpenDocument are without hidden columns, and what spans them shrinks", async () => {
  const column = (count: number, looks = "") =>
    `<table:table-column table:number-columns-repeated="${count}" ${looks}/>`;
  const cell = (text: string, more = "") =>
    `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
  const columns = `${column(1)}<table:table-column-group>${column(2, 'table:visibility="collapse"')}</table:table-column-group>${column(2)}`;
  const repeated = cell("gone", 'table:number-columns-repeated="2"');
  const wide = cell("רחב", 'table:number-columns-spanned="4"');
  const covered = '<table:covered-table-cell table:number-columns-repeated="3"/>';
  const rows = [
    cell("שם") + repeated + cell("B") + cell("C"),
    wide + covered + cell("D"),
    cell("E") + cell("ignore", 'table:number-columns-repeated="3"') + cell("F"),
  ].map((cells) => `<table:table-row>${cells}</table:table-row>`);
  expect(await markdownOf(odtFile(`<table:table>${columns}${rows.join("")}</table:table>`))).toBe(
    "| שם | B | C |\n| --- | --- | --- |\n| רחב |  | D |\n| E | ignore | F |",
  );
});

const points = (...values: readonly string[]) =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
const chartSeries = (name: string, categories: string, values: string) =>
  `<c:ser><c:tx><c:strRef><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx><c:cat><c:numRef><c:numCache>${categories}</c:numCache></c:numRef></c:cat><c:val><c:numRef><c:numCache>${values}</c:numCache></c:numRef></c:val></c:ser>`;
const chartSpace = (title: string, ...series: readonly string[]) =>
  `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title>${title && `<c:tx><c:rich><a:p><a:r><a:t>${title}</a:t></a:r></a:p></c:rich></c:tx>`}</c:title><c:plotArea><c:barChart>${series.join("")}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;

describe("charts of a workbook stand below the sheet's rows", () => {
  const withCharts = (file: Buffer, sheet: string, ...charts: readonly string[]) => {
    const entries = new ZipEntries(file);
    const parts = Object.fromEntries(entries.names().map((name) => [name, entries.bytes(name) ?? ""]));
    const names = charts.map((_, at) => `chart${at + 1}.xml`);
    return zipFile({
      ...parts,
      [sheet.replace(/([^/]+)$/, "_rels/$1.rels")]: relationships([
        ["d", "drawing", "../drawings/drawing1.xml"],
      ]),
      "xl/drawings/_rels/drawing1.xml.rels": relationships(
        names.map((name) => [name, "chart", `/xl/charts/${name}`] as const),
      ),
      ...Object.fromEntries(charts.map((chart, at) => [`xl/charts/${names[at]}`, chart])),
    });
  };
  const dates = `<c:formatCode>d/m/yyyy</c:formatCode>${points("45000", "45031")}`;

  test("with their titles, by category, in columns that are shown", async () => {
    const file = changed(
      xlsxFile({ Häfen: { A1: "gone", B1: "Depth", B2: 7 } }),
      "xl/worksheets/sheet1.xml",
      (text) => text.replace("<sheetData>", '<cols><col min="1" max="1" hidden="1"/></cols><sheetData>'),
    );
    const both = chartSpace(
      "Wasser &amp; Wind",
      chartSeries("北", points("Mai", "Juni"), points("1", "0.30000000000000004")),
      chartSeries("Юг", points("Mai", "Juni"), points("5")),
    );
    const named = chartSpace("", chartSeries("Fänge", dates, points("8", "9")));
    const kept = chartSpace("No values", chartSeries("None", "", ""));
    const shown = await markdownOf(withCharts(file, "xl/worksheets/sheet1.xml", both, kept, named));
    expect(shown).toBe(
      "## Häfen\n\n| Depth |\n| --- |\n| 7 |\n\nWasser & Wind\n\n|  | 北 | Юг |\n| --- | --- | --- |\n| Mai | 1 | 5 |\n| Juni | 0.3 |  |\n\n" +
        "Fänge\n\n|  | Fänge |\n| --- | --- |\n| 2023-03-15 | 8 |\n| 2023-04-15 | 9 |",
    );
  });

  test("and sheets of a chart alone are read", async () => {
    const file = xlsxFile({ Data: { A1: "x", A2: 1 }, Diagramm: {} });
    const entries = new ZipEntries(file);
    const parts = Object.fromEntries(
      entries.names().map((name) => [name, entries.bytes(name)?.toString() ?? ""]),
    );
    const { "xl/worksheets/sheet2.xml": _, ...others } = parts;
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const moved = zipFile({
      ...others,
      "xl/_rels/workbook.xml.rels": relationships([
        ["rId1", "worksheet", "worksheets/sheet1.xml"],
        ["rId2", "chartsheet", "chartsheets/sheet1.xml"],
      ]),
      "xl/chartsheets/sheet1.xml": `<chartsheet ${main}><drawing/></chartsheet>`,
    });
    const chart = chartSpace("סערות", chartSeries("A", points("a"), points("3")));
    expect(await markdownOf(withCharts(moved, "xl/chartsheets/sheet1.xml", chart))).toBe(
      "## Data\n\n| x |\n| --- |\n| 1 |\n\n## Diagramm\n\nסערות\n\n|  | A |\n| --- | --- |\n| a | 3 |",
    );
  });
});

test("values of charts are without the noise of binary fractions, and their titles are text", async () => {
  const chart = `<w:p><w:r><w:drawing><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="c"/></a:graphicData></a:graphic></w:drawing></w:r></w:p>`;
  const file = docxFile(chart, {
    "word/_rels/document.xml.rels": relationships([["c", "chart", "charts/chart1.xml"]]),
    "word/charts/chart1.xml": chartSpace(
      "Tides",
      chartSeries("Depth", points("May"), points("4.4000000000000004E-2")),
    ),
  });
  expect(await markdownOf(file)).toBe("Tides\n\n|  | Depth |\n| --- | --- |\n| May | 0.044 |");
});

test("a table of one cell is a frame, and styles of headings that stay out of the contents are headings", async () => {
  const list =
    '<w:style w:styleId="H" w:type="paragraph"><w:name w:val="heading 1"/></w:style><w:style w:styleId="T" w:type="paragraph"><w:name w:val="TOC Heading"/><w:basedOn w:val="H"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style><w:style w:styleId="N" w:type="paragraph"><w:name w:val="Body"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>';
  const row = (...cells: readonly string[]) =>
    `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join("")}</w:tr>`;
  const inner = `<w:tbl>${row(wordParagraph("a"), wordParagraph("ب"))}</w:tbl>`;
  const body =
    paragraph('<w:pStyle w:val="T"/>', "Оглавление") +
    paragraph('<w:pStyle w:val="N"/>', "Text") +
    `<w:tbl>${row(wordParagraph("注意") + inner)}</w:tbl>`;
  expect(await markdownOf(docxFile(body, styles(list)))).toBe(
    "# Оглавление\n\nText\n\n注意\n\n| a | ب |\n| --- | --- |",
  );
});

test("lists of Word have their boxes, and text without a mark belongs to the item before", async () => {
  const level = (sign: string) =>
    `<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="${sign}"/></w:lvl>`;
  const signs = ["☐", "☒", " ", "•"];
  const numbering = `<w:numbering xmlns:w="${WORD}">${signs.map((sign, at) => `<w:abstractNum w:abstractNumId="${at}">${level(sign)}</w:abstractNum>`).join("")}${signs.map((_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at}"/></w:num>`).join("")}</w:numbering>`;
  const item = (id: number, text: string) =>
    paragraph(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>`, text);
  const body =
    item(3, "前") + item(4, "Erstens") + item(3, "weiter") + item(1, "Später") + item(2, "сделано");
  const file = docxFile(body, { "word/numbering.xml": numbering, ...RELATIONSHIPS });
  const shown = await markdownOf(file);
  expect(shown.replace(/\n+/g, "\n").replace(/^[*+]/gm, "-")).toBe(
    "前\n- Erstens\n  weiter\n- [ ] Später\n- [x] сделано",
  );
});

test("lists of OpenDocument continue where their items hold nothing but a list", async () => {
  const list = (...items: readonly string[]) =>
    `<text:list>${items.map((one) => `<text:list-item>${one}</text:list-item>`).join("")}</text:list>`;
  const p = (text: string) => `<text:p>${text}</text:p>`;
  const body = list(p("un"), p("deux")) + list(list(p("α"), p("β")), p("trois"));
  expect(await markdownOf(odtFile(body))).toBe("- un\n- deux\n  - α\n  - β\n- trois");
});

test("cells of a workbook lead where their links do", async () => {
  const links =
    '<hyperlinks xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><hyperlink ref="A1" r:id="h1"/><hyperlink ref="B1:C1" r:id="h2"/><hyperlink ref="A2" location="S!A1"/><hyperlink ref="B2" r:id="h3"/></hyperlinks>';
  const file = changed(
    xlsxFile({ S: { A1: "גלים", B1: "one\ntwo", C1: "c", A2: "within", B2: "local", C2: 7 } }),
    "xl/worksheets/sheet1.xml",
    (text) =>
      text
        .replace("</sheetData>", `$&${links}`)
        .replace(/(r="B1") t="inlineStr"><is>.*?<\/is>/s, '$1 t="s"><v>1</v>'),
  );
  const entries = new ZipEntries(file);
  const parts = Object.fromEntries(entries.names().map((name) => [name, entries.bytes(name) ?? ""]));
  const rels = relationships([
    ["h1", "hyperlink", "https://a.test/x?y=1"],
    ["h2", "hyperlink", "mailto:a@a.test"],
    ["h3", "hyperlink", "file:///C:/secret.txt"],
  ]);
  const shared =
    '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>0</t></si><si><r><t>漢\n</t></r><r><t>字</t></r><rPh><t>kan</t></rPh></si></sst>';
  const workbook = relationships([
    ["rId1", "worksheet", "worksheets/sheet1.xml"],
    ["rId9", "sharedStrings", "sharedStrings.xml"],
  ]);
  const all = {
    ...parts,
    "xl/worksheets/_rels/sheet1.xml.rels": rels,
    "xl/sharedStrings.xml": shared,
    "xl/_rels/workbook.xml.rels": workbook,
  };
  expect(await markdownOf(zipFile(all))).toBe(
    "## S\n\n| [גלים](https://a.test/x?y=1) | [漢<br>字](mailto:a@a.test) | c |\n| --- | --- | --- |\n| within | local | 7 |",
  );
});
