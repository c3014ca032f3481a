import { ownProperty } from "@pergamon-dev/kit/own-property";
import { posix } from "node:path";
import { buffer } from "node:stream/consumers";

import { isOleFile } from "../archives/ole-streams.ts";
import type { ZipEntries } from "../archives/zip-entries.ts";
import { CHART_TITLE, type Formulas, LINE_BREAK } from "../model/marks.ts";
import { binaryFormats, shownBinarySheet, shownBinaryWorkbook } from "./binary-workbook.ts";
import { OpenDocumentStyles, shownOpenDocument } from "./open-document-parts.ts";
import { isHiddenSlide, shownSlide, shownSlideList } from "./slide-parts.ts";
import { chartLines } from "./workbook-charts.ts";
import { cellLinks, SharedTexts } from "./workbook-links.ts";
import { cellFormats, chartSheet, shownSheet, shownSheetList } from "./workbook-parts.ts";
import { WordNumbering } from "./word-numbering.ts";
import { shownWordText } from "./word-parts.ts";
import { WordStyles } from "./word-styles.ts";
import { shownOldFile } from "./old-files.ts";
import { childAt, childrenOf, parseXml, rewriteXml, type XmlElement } from "./xml.ts";

/** Of all parts that are read. The engine has this limit for one part. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** Parts that the engine reads. Pictures and programs are none. */
const READ_PARTS = /(?:\.(?:xml|rels)|^mimetype|^xl\/(?:worksheets\/)?\w+\.bin)$/i;

interface OfficeArchive {
  readonly entries: ZipEntries;
  readonly format: string | undefined;
  readonly formulas: Formulas;
}

/**
 * The file as its program shows it: without hidden parts, and with what the engine would drop as text, unless the
 * file is from before 2007. Files of other formats are returned unchanged.
 * @throws RangeError with the code ERR_BUFFER_TOO_LARGE, and DocumentError, for files that are too large.
 */
export async function shownFile(
  body: Uint8Array,
  { entries, format, formulas }: OfficeArchive,
): Promise<Uint8Array> {
  if (format === "rtf" || isOleFile(body)) return shownOldFile(body, format ?? "", formulas);
  const rewrite = ownProperty(REWRITERS, format ?? "");
  if (!rewrite) return body;
  const parts = new Parts(entries);
  rewrite(parts, formulas);
  return parts.isRewritten ? parts.archive() : body;
}

const REWRITERS: Readonly<Record<string, (parts: Parts, formulas: Formulas) => void>> = {
  docx: rewriteWord,
  xlsx: rewriteWorkbook,
  pptx: rewriteSlides,
  odt: rewriteOpenDocument,
  ods: rewriteOpenDocument,
  odp: rewriteOpenDocument,
};

/** The parts of a file, by their names and root elements. */
class Parts {
  readonly #parts = new Map<string, Buffer>();
  #isRewritten = false;

  constructor(entries: ZipEntries) {
    let leftBytes = MAX_UNPACKED_BYTES;
    for (const name of entries.names()) {
      const bytes = READ_PARTS.test(name) ? entries.bytes(name, Math.max(1, leftBytes)) : undefined;
      if (!bytes) continue;
      leftBytes -= bytes.length;
      this.#parts.set(name, bytes);
    }
  }

  get isRewritten(): boolean {
    return this.#isRewritten;
  }

  text(name: string): string | undefined {
    const bytes = this.#parts.get(name);
    return bytes && textOf(bytes);
  }

  /** Empty if there is none. */
  bytes(name: string): Buffer {
    return this.#parts.get(name) ?? Buffer.of();
  }

  /** Names of parts with this root element, whatever its prefix is. */
  named(root: string): readonly string[] {
    const opening = new RegExp(`<(?:[\\w-]+:)?${root}[\\s/>]`);
    return [...this.#parts.keys()].filter((name) => opening.test(rootTag(this.#parts.get(name))));
  }

  /** Relationships of a part of this type. */
  relationships(name: string, type: string): readonly XmlElement["attributes"][] {
    const list = parseXml(this.text(`${posix.dirname(name)}/_rels/${posix.basename(name)}.rels`) ?? "");
    return childrenOf(list, "Relationship")
      .map(({ attributes }) => attributes)
      .filter((one) => one["Type"]?.endsWith(`/${type}`));
  }

  /** Names of the parts to which a part has relationships of this type. */
  related(name: string, type: string): readonly string[] {
    const targets = this.relationships(name, type).map(({ Target = "" }) =>
      posix.resolve("/", posix.dirname(name), Target).slice(1),
    );
    return [...new Set(targets)];
  }

  add(name: string, text: string): void {
    this.#parts.set(name, Buffer.from(text));
  }

  rewrite(name: string, write: (text: string) => string): void {
    const text = this.text(name);
    if (text === undefined) return;
    this.#isRewritten = true;
    this.#parts.set(name, Buffer.from(write(text)));
  }

  rewriteBytes(names: RegExp, write: (bytes: Buffer) => Buffer): void {
    for (const [name, bytes] of this.#parts) {
      if (!names.test(name)) continue;
      this.#isRewritten = true;
      this.#parts.set(name, write(bytes));
    }
  }

  async archive(): Promise<Uint8Array> {
    const { default: yazl } = await import("yazl");
    const zip = new yazl.ZipFile();
    for (const [name, bytes] of this.#parts) zip.addBuffer(bytes, name, { compress: false });
    zip.end();
    return buffer(zip.outputStream);
  }
}

/** XML may be UTF-16. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le", 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(bytes).swap16().toString("utf16le", 2);
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

/** In bytes. Comments may stand before the root. */
const ROOT_BYTES = 4096;

function rootTag(bytes: Buffer | undefined): string {
  const head = bytes ? textOf(bytes.subarray(0, ROOT_BYTES)) : "";
  return /<[A-Za-z][^>]*>?/.exec(head.replace(/<!--.*?-->/gs, ""))?.[0] ?? "";
}

function rewriteWord(parts: Parts, formulas: Formulas): void {
  const [styles] = parts.named("styles");
  const [numbering] = parts.named("numbering");
  const context = {
    styles: new WordStyles(styles === undefined ? undefined : parts.text(styles)),
    numbering: new WordNumbering(numbering === undefined ? undefined : parts.text(numbering)),
    formulas,
  };
  for (const root of ["document", "footnotes", "endnotes"])
    for (const name of parts.named(root)) parts.rewrite(name, (text) => shownWordText(text, context));
  rewriteCharts(parts);
}

const TITLE_OF_CHART = /<(?:\w+:)?title>(?:(?!<\/(?:\w+:)?title>).)*?<(?:\w+:)?t>/s;

/**
 * Numbers of charts as they were typed, without the noise of binary fractions. Their titles have a mark, as the engine
 * writes them as it writes headings of texts without styles.
 */
function rewriteCharts(parts: Parts, mark = CHART_TITLE): void {
  for (const name of parts.named("chartSpace"))
    parts.rewrite(name, (text) =>
      text
        .replace(TITLE_OF_CHART, (title) => title + mark)
        .replace(/(?<=>)-?\d+\.\d{14,}(?:E[+-]?\d+)?(?=<)/g, (value) =>
          String(Number(Number(value).toPrecision(15))),
        ),
    );
}

function rewriteWorkbook(parts: Parts): void {
  const [styles] = parts.named("styleSheet");
  const formats = cellFormats((styles === undefined ? undefined : parts.text(styles)) ?? "");
  for (const name of parts.named("workbook")) parts.rewrite(name, shownSheetList);
  parts.rewriteBytes(/^xl\/workbook\.bin$/i, shownBinaryWorkbook);
  const binary = binaryFormats(parts.bytes("xl/styles.bin"));
  parts.rewriteBytes(/^xl\/worksheets\/\w+\.bin$/i, (sheet) => shownBinarySheet(sheet, binary));
  for (const root of ["sst", "worksheet"])
    for (const name of parts.named(root)) parts.rewrite(name, withLineBreaks);
  rewriteCharts(parts, "");
  const charts = new Map(parts.named("chartSpace").map((name) => [name, chartLines(parts.text(name) ?? "")]));
  const chartsOf = (name: string) => {
    const drawn = parts.related(name, "drawing").flatMap((drawing) => parts.related(drawing, "chart"));
    return drawn.map((chart) => charts.get(chart) ?? []).filter((lines) => lines.length > 0);
  };
  const [shared = ""] = parts.named("sst");
  const texts = new SharedTexts(() => parts.text(shared) ?? "");
  for (const name of parts.named("worksheet"))
    parts.rewrite(name, (text) => {
      const links = cellLinks(text, parts.relationships(name, "hyperlink"));
      return shownSheet(text, { formats, links, texts }, chartsOf(name));
    });
  for (const name of parts.named("chartsheet")) {
    const sheet = `xl/worksheets/of-${posix.basename(name)}`;
    parts.add(sheet, chartSheet(chartsOf(name)));
    parts.rewrite("xl/_rels/workbook.xml.rels", (text) => asWorksheet(text, posix.basename(name), sheet));
  }
}

/** The engine reads breaks in the texts of cells as blanks. */
function withLineBreaks(part: string): string {
  return part.replace(/<(?:[\w-]+:)?t(?:\s[^<>]*)?>[^<]*?(?:\n|&#(?:10|x0*a);)[^<]*/gi, (text) =>
    text.replace(/\r?(?:\n|&#(?:10|x0*a);)/gi, LINE_BREAK),
  );
}

/** The engine reads no other sheets. */
function asWorksheet(relationships: string, name: string, sheet: string): string {
  return rewriteXml(
    relationships,
    (_, { Target = "", Type = "" }) => Type.endsWith("/chartsheet") && posix.basename(Target) === name,
    (one) => {
      const { Type = "" } = one.attributes;
      const attributes = {
        ...one.attributes,
        Target: `/${sheet}`,
        Type: Type.replace("chartsheet", "worksheet"),
      };
      return [{ ...one, attributes }];
    },
  );
}

/** In English Metric Units: the height of a slide that says none. */
const USUAL_HEIGHT = 6_858_000;

function rewriteSlides(parts: Parts, formulas: Formulas): void {
  rewriteCharts(parts);
  const [presentation = ""] = parts.named("presentation");
  const root = parseXml(parts.text(presentation) ?? "");
  const height = Number(childAt(root, "p:sldSz")?.attributes["cy"] ?? USUAL_HEIGHT);
  const hidden = new Set<string>();
  for (const name of parts.named("sld")) {
    if (isHiddenSlide(parts.text(name) ?? "")) hidden.add(name.replace(/^.*\//, ""));
    else parts.rewrite(name, (text) => shownSlide(text, height, formulas));
  }
  const relationships = parseXml(parts.text(presentation.replace(/([^/]+)$/, "_rels/$1.rels")) ?? "");
  const ids = childrenOf(relationships, "Relationship")
    .filter(({ attributes }) => hidden.has((attributes["Target"] ?? "").replace(/^.*\//, "")))
    .map(({ attributes }) => attributes["Id"] ?? "");
  parts.rewrite(presentation, (text) => shownSlideList(text, new Set(ids)));
}

function rewriteOpenDocument(parts: Parts, formulas: Formulas): void {
  const isKind = (kind: string) => (parts.text("mimetype") ?? "").includes(`opendocument.${kind}`);
  const context = {
    styles: new OpenDocumentStyles(parts.text("styles.xml"), parts.text("content.xml")),
    formulas,
    isText: isKind("text"),
    isSlides: isKind("presentation"),
    objectAt: (folder: string) => parseXml(parts.text(`${folder}/content.xml`) ?? ""),
  };
  parts.rewrite("content.xml", (text) => shownOpenDocument(text, context));
}
