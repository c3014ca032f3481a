import { expect, test } from "vitest";

import { odtFile, pptxFile } from "../../../../test/office-files.ts";
import { zipFile } from "../../../../test/zip-file.ts";
import { ZipEntries } from "../archives/zip-entries.ts";
import { readOffice } from "../office.ts";

const NAMES = "urn:oasis:names:tc:opendocument:xmlns";
const TYPED = '<a:rPr><a:latin typeface="Courier New"/></a:rPr>';

async function markdownOf(body: Buffer): Promise<string> {
  return (await readOffice({ body, mimeType: "", url: "https://site.test/file" })).markdown;
}

/** A presentation with these parts in place of its own. */
function slide(shapes: readonly string[]): Buffer {
  const file = pptxFile([{ title: "T", lines: [] }]);
  const entries = new ZipEntries(file);
  const parts = entries.names().map((name) => {
    const text = entries.bytes(name)?.toString() ?? "";
    return [name, text.replace(/<p:spTree>.*<\/p:spTree>/s, `<p:spTree>${shapes.join("")}</p:spTree>`)];
  });
  return zipFile(Object.fromEntries(parts) as Record<string, string>);
}

const run = (text: string, looks = "") => `<a:r>${looks}<a:t>${text}</a:t></a:r>`;
const line = (...runs: readonly string[]) => `<a:p>${runs.join("")}</a:p>`;
const shape = (kind: string, ...lines: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name=""/><p:cNvSpPr/><p:nvPr>${kind && `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="9"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/>${lines.join("")}</p:txBody></p:sp>`;

test("lines of slides in typewriter letters are code, with their breaks and blanks, and parts of lines, too", async () => {
  const code = ["für x:", "  tu(x)", ""].map((text) => line(text && run(text, TYPED)));
  const shapes = [
    shape("title", line(run("目录 "), run("ls", TYPED))),
    shape(
      "",
      line(run("Ruf "), run("eins()", TYPED), run(" auf:")),
      ...code,
      line(run("ende\n  zwei", TYPED)),
    ),
    shape("body", line(run("npm i", TYPED)), line(run("потом"))),
  ];
  expect(await markdownOf(slide(shapes))).toBe(
    "## 目录 `ls`\n\nRuf `eins()` auf:\n\n```\nfür x:\n  tu(x)\n\nende\n  zwei\n```\n\n`npm i`\n\nпотом",
  );
  const whole = [shape("title", line(run("Alles", TYPED))), shape("", line(run("getippt", TYPED)))];
  expect(await markdownOf(slide(whole))).toBe("## Alles\n\ngetippt");
});

test("titles of slides come first, those beside groups, too", async () => {
  const later = [shape("body", line(run("نص"))), shape("title", line(run("العنوان")))];
  expect(await markdownOf(slide(later))).toBe("## العنوان\n\nنص");
  const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="99"/></a:xfrm></p:grpSpPr>${shape("", line(run("步骤")))}</p:grpSp>`;
  expect(await markdownOf(slide([group, shape("", line(run("概览")))]))).toBe("## 概览\n\n步骤");
});

const style = (name: string, family: string, looks: string) =>
  `<style:style style:name="${name}" style:family="${family}"><style:text-properties ${looks}/></style:style>`;
const STYLES = `<office:automatic-styles xmlns:style="${NAMES}:style:1.0" xmlns:fo="${NAMES}:xsl-fo-compatible:1.0">${style("C", "text", 'style:font-name="Liberation Mono"')}${style("Q", "paragraph", 'fo:font-family="Consolas"')}</office:automatic-styles>`;
const p = (text: string, more = "") => `<text:p${more}>${text}</text:p>`;
const typed = (text: string) => `<text:span text:style-name="C">${text}</text:span>`;

function openDocument(kind: string, body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const names = ["office", "text", "table", "presentation", "chart"].map(
    (one) => `xmlns:${one}="${NAMES}:${one}:1.0"`,
  );
  const all = `${names.join(" ")} xmlns:draw="${NAMES}:drawing:1.0" xmlns:svg="${NAMES}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`;
  return zipFile({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<office:document-content ${all}>${STYLES}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  });
}

test("typewriter letters are code in texts and slides of OpenDocument", async () => {
  const lines = p(typed("a = 1")) + p("b = <text:s text:c='2'/>2", ' text:style-name="Q"');
  const text = `<text:h text:outline-level="1">目录 ${typed("ls")}</text:h>${p(`Ruf ${typed("eins()")} auf`)}${lines}`;
  const shown = "Ruf `eins()` auf\n\n```\na = 1\nb =   2\n```";
  expect(await markdownOf(openDocument("text", text))).toBe(`# 目录 \`ls\`\n\n${shown}`);
  const frame = (inner: string, kind = "") =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${inner}</draw:text-box></draw:frame>`;
  const page = (title: string) =>
    `<draw:page>${frame(p(`Ruf ${typed("eins()")} auf`) + lines)}${frame(p(title), "title")}</draw:page>`;
  expect(await markdownOf(openDocument("presentation", page("Код")))).toBe(`## Код\n\n${shown}`);
  expect(await markdownOf(openDocument("presentation", page(typed("Код"))))).toBe(
    "## Код\n\nRuf eins() auf\n\na = 1\n\nb = 2",
  );
});

test("levels of an outline whose items are lists of their own are kept, and numbers of pages are no notes", async () => {
  const list = (inner: string) => `<text:list><text:list-item>${inner}</text:list-item></text:list>`;
  const outline = list(p("eins")) + list(list(p("ב"))) + list(list(list(p("три")))) + list(p("vier"));
  expect((await markdownOf(odtFile(outline))).replace(/^[*+]/gm, "-")).toContain(
    "- eins\n  - ב\n    - три\n",
  );
  const frame = (kind: string, inner: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${p(inner)}</draw:text-box></draw:frame>`;
  const notes = `<presentation:notes>${frame("notes", "Sag es")}${frame("page-number", "&lt;number&gt;")}</presentation:notes>`;
  const page = `<draw:page>${frame("title", "題")}${frame("footer", "Foot")}${notes}</draw:page>`;
  expect(await markdownOf(openDocument("presentation", page))).toBe("## 題\n\n> Sag es");
});

test("charts of OpenDocument have their titles, and those of sheets stand below the rows", async () => {
  const row = (...cells: readonly string[]) =>
    `<table:table-row>${cells.map((cell) => `<table:table-cell>${cell && p(cell)}</table:table-cell>`).join("")}</table:table-row>`;
  const chart = `<office:document-content xmlns:office="${NAMES}:office:1.0" xmlns:chart="${NAMES}:chart:1.0" xmlns:table="${NAMES}:table:1.0" xmlns:text="${NAMES}:text:1.0"><office:body><office:chart><chart:chart><chart:title>${p("Глубины")}</chart:title><table:table>${row("", "北")}${row("Mai", "7")}</table:table></chart:chart></office:chart></office:body></office:document-content>`;
  const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
  const parts = { "Object 1/content.xml": chart };
  const values = "Глубины\n\n|  | 北 |\n| --- | --- |\n| Mai | 7 |";
  const empty = '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>';
  const sheet = `<table:table table:name="Häfen">${row("Ort", "Tiefe")}<table:table-row><table:table-cell>${p("Łeba")}${object}</table:table-cell><table:table-cell>${p("9")}</table:table-cell></table:table-row>${empty}</table:table>`;
  expect(await markdownOf(openDocument("spreadsheet", sheet, parts))).toBe(
    `## Häfen\n\n| Ort | Tiefe |\n| --- | --- |\n| Łeba | 9 |\n\n${values}`,
  );
  const page = `<draw:page><draw:frame presentation:class="title"><draw:text-box>${p("Chart")}</draw:text-box></draw:frame>${object}</draw:page>`;
  expect(await markdownOf(openDocument("presentation", page, parts))).toBe(`## Chart\n\n${values}`);
  expect(await markdownOf(openDocument("text", p(`Siehe ${object}`), parts))).toBe(`Siehe\n\n${values}`);
});
