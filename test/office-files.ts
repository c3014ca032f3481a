import { zipFile } from "./zip-file.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** A Word document with this body: WordprocessingML without the `w:body` around it. */
export function docxFile(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const names = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}"`;
  return openXmlFile("word/document.xml", "wordprocessingml.document", {
    "word/document.xml": `${XML}<w:document ${names}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

/** A paragraph of a Word document; its text runs as they stand when they begin with a tag. */
export function wordParagraph(text: string): string {
  const runs = text.startsWith("<") ? text : `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  return `<w:p>${runs}</w:p>`;
}

/** A heading of a Word document. */
export function wordHeading(text: string): string {
  return `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A table of a Word document, of rows of texts. */
export function wordTable(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((text) => `<w:tc>${wordParagraph(text)}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

/** Cells of a sheet by their names, such as B2. A formula has no value, as in files that no program has calculated. */
export type Cells = Readonly<Record<string, string | number | { readonly formula: string }>>;

/** An Excel workbook: its sheets by name, and further rows of each. */
export function xlsxFile(
  sheets: Readonly<Record<string, Cells>>,
  merged: readonly string[] = [],
  rows = "",
): Buffer {
  const names = Object.keys(sheets);
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const targets = names.map(
    (_, at) => [`rId${at + 1}`, "worksheet", `worksheets/sheet${at + 1}.xml`] as const,
  );
  const merges = merged.map((range) => `<mergeCell ref="${range}"/>`).join("");
  const parts = names.map((name, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `${XML}<worksheet ${main}><sheetData>${sheetRows(sheets[name] ?? {})}${rows}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`,
  ]);
  return openXmlFile("xl/workbook.xml", "spreadsheetml.sheet", {
    "xl/workbook.xml": `${XML}<workbook ${main} xmlns:r="${OFFICE}"><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships(targets),
    ...(Object.fromEntries(parts) as Record<string, string>),
  });
}

function sheetRows(cells: Cells): string {
  const rows = new Map<number, string>();
  for (const [name, value] of Object.entries(cells)) {
    const row = Number(/\d+/.exec(name)?.[0]);
    rows.set(row, (rows.get(row) ?? "") + sheetCell(name, value));
  }
  return [...rows].map(([row, written]) => `<row r="${row}">${written}</row>`).join("");
}

function sheetCell(name: string, value: Cells[string]): string {
  if (typeof value === "object") return `<c r="${name}"><f>${value.formula}</f><v></v></c>`;
  return typeof value === "number"
    ? `<c r="${name}"><v>${value}</v></c>`
    : `<c r="${name}" t="inlineStr"><is><t>${value}</t></is></c>`;
}

/** A slide: its title, the lines below it, and what the speaker is to say. */
export interface Slide {
  readonly title: string;
  readonly lines: readonly string[];
  readonly notes?: string;
}

/** A PowerPoint presentation. */
export function pptxFile(slides: readonly Slide[]): Buffer {
  const main = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
  const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const list = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`);
  const targets = slides.map((_, at) => [`rId${at + 1}`, "slide", `slides/slide${at + 1}.xml`] as const);
  const tree = (tag: string, shapes: string) =>
    `${XML}<p:${tag} ${main} ${drawing}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${tag}>`;
  const parts = slides.flatMap(({ title, lines, notes }, at) => [
    [`ppt/slides/slide${at + 1}.xml`, tree("sld", shape("title", [title]) + shape("body", lines))],
    ...(notes === undefined
      ? []
      : [
          [
            `ppt/slides/_rels/slide${at + 1}.xml.rels`,
            relationships([["rId1", "notesSlide", `../notesSlides/notesSlide${at + 1}.xml`]]),
          ],
          [`ppt/notesSlides/notesSlide${at + 1}.xml`, tree("notes", shape("body", [notes]))],
        ]),
  ]);
  return openXmlFile("ppt/presentation.xml", "presentationml.presentation", {
    "ppt/presentation.xml": `${XML}<p:presentation ${main} xmlns:r="${OFFICE}"><p:sldIdLst>${list.join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(targets),
    ...(Object.fromEntries(parts) as Record<string, string>),
  });
}

function shape(placeholder: string, lines: readonly string[]): string {
  const text = lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvSpPr><p:cNvPr id="1" name=""/><p:cNvSpPr/><p:nvPr><p:ph type="${placeholder}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${text}</p:txBody></p:sp>`;
}

/** An OpenDocument text with this body: what stands within `office:text`. */
export function odtFile(body: string, title = ""): Buffer {
  const names = "urn:oasis:names:tc:opendocument:xmlns";
  const all = ["office", "text", "table"].map((name) => `xmlns:${name}="${names}:${name}:1.0"`).join(" ");
  return zipFile({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `${XML}<office:document-content ${all}><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    "meta.xml": `${XML}<office:document-meta xmlns:office="${names}:office:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
  });
}

/** A book of these chapters, each the body of a page. */
export function epubFile(title: string, chapters: readonly string[]): Buffer {
  const items = chapters.map(
    (_, at) => `<item id="c${at}" href="c${at}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, at) => `<itemref idref="c${at}"/>`);
  const pages = chapters.map((body, at) => [
    `OEBPS/c${at}.xhtml`,
    `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
  ]);
  return zipFile({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OEBPS/book.opf": `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:language>en</dc:language></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    ...(Object.fromEntries(pages) as Record<string, string>),
  });
}

/** An Office Open XML file: its main part, and all of its parts by name. */
function openXmlFile(main: string, type: string, parts: Readonly<Record<string, string>>): Buffer {
  const content = `application/vnd.openxmlformats-officedocument.${type}.main+xml`;
  return zipFile({
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${content}"/></Types>`,
    "_rels/.rels": relationships([["rId1", "officeDocument", main]]),
    ...parts,
  });
}

/** What a part of an Office Open XML file refers to: [id, type, target]. */
export function relationships(targets: readonly (readonly [string, string, string])[]): string {
  const list = targets.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list.join("")}</Relationships>`;
}
