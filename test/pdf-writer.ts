import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** A page of a PDF for tests, in points from the bottom left corner, as PDF counts. */
export interface PdfPageSource {
  /**
   * Operators of a content stream. Fonts are F1 (Helvetica), F2 (Helvetica-Bold), F3 (Courier), and F4 (PlainSans) and F5
   * (Plain), which say that all their letters are equally wide. Pictures are I1, I2 …
   */
  readonly content: string;
  /** How often the content is deflated. */
  readonly deflations?: number;
  readonly width?: number;
  readonly height?: number;
  /** Degrees, clockwise. */
  readonly rotate?: 0 | 90 | 180 | 270;
  /** left, bottom, right, top of what is shown. */
  readonly cropBox?: readonly [number, number, number, number];
  readonly pictures?: readonly GreyPixels[];
  readonly links?: readonly {
    readonly url: string;
    readonly box: readonly [number, number, number, number];
  }[];
  /** Words that are filled in, at points from the bottom left corner. */
  readonly fields?: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  /** Boxes of a form, at such points: whether they are checked. */
  readonly checkBoxes?: readonly { readonly isChecked: boolean; readonly x: number; readonly y: number }[];
}

/** A picture in shades of grey, a byte per pixel. */
interface GreyPixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface PdfSource {
  readonly pages: readonly PdfPageSource[];
  readonly info?: Readonly<Record<string, string>>;
  readonly outline?: readonly { readonly title: string; readonly page: number }[];
  /** Encrypts the file (RC4, 40 bits) so that this opens it; "" opens it without asking. */
  readonly password?: string;
  /** Pages find their boxes and fonts in the tree that holds them; they have no pictures. */
  readonly isInherited?: boolean;
  /** Further objects, and entries of the catalog that lead to them. */
  readonly catalog?: string;
  /** Layers, which contents call L1, L2 …: whether they are shown. */
  readonly layers?: readonly boolean[];
  /** Names of the glyphs of F6 (Named) from code 1 on. */
  readonly glyphNames?: readonly string[];
}

/** Operators that write lines from the top of the page, 72 points from the left. */
export function textLines(lines: readonly string[], { size = 12, font = "F1", top = 720 } = {}): string {
  const leading = size * 1.4;
  return lines
    .map((line, index) => `BT /${font} ${size} Tf 72 ${top - index * leading} Td (${escaped(line)}) Tj ET`)
    .join("\n");
}

/** A page with these lines of text. */
export function textPage(...lines: readonly string[]): PdfPageSource {
  return { content: textLines(lines) };
}

/** A page that is a picture as large as the page. */
export function scannedPage(picture: GreyPixels): PdfPageSource {
  return { content: "q 612 0 0 792 0 0 cm /I1 Do Q", pictures: [picture] };
}

function fixedPitchFont(name: string): string {
  const descriptor = `<</Type/FontDescriptor/FontName/${name}/Flags 33/ItalicAngle 0/Ascent 800/Descent -200>>`;
  return `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding/FontDescriptor ${descriptor}>>`;
}

export function writePdf({
  pages,
  info = {},
  outline = [],
  password,
  catalog = "",
  isInherited = false,
  layers = [],
  glyphNames = [],
}: PdfSource): Buffer {
  const file = new PdfFile(password);
  const root = file.reserve();
  const tree = file.reserve();
  const fonts = ["Helvetica", "Helvetica-Bold", "Courier"].map((name) =>
    file.add(`<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`),
  );
  for (const name of ["PlainSans", "Plain"]) fonts.push(file.add(fixedPitchFont(name)));
  const named = file.add(`<</Type/Encoding/Differences[1/${glyphNames.join("/")}]>>`);
  if (glyphNames.length > 0)
    fonts.push(file.add(`<</Type/Font/Subtype/Type1/BaseFont/Named/Encoding ${named} 0 R>>`));
  const fontNames = fonts.map((font, index) => `/F${index + 1} ${font} 0 R`).join("");
  const groups = layers.map((_isShown, at) => file.add(`<</Type/OCG/Name(Layer ${at + 1})>>`));
  const properties = groups.map((group, at) => `/L${at + 1} ${group} 0 R`).join("");
  const numbers = pages.map((page) => addPage(file, page, { tree, fontNames, isInherited, properties }));
  const off = groups.filter((_group, at) => !layers[at]).map((group) => `${group} 0 R`);
  const all = groups.map((group) => `${group} 0 R`).join(" ");
  const optional = groups.length > 0 ? `/OCProperties<</OCGs[${all}]/D<</OFF[${off.join(" ")}]>>>>` : "";
  const outlines = addOutline(file, outline, numbers);
  file.set(
    root,
    `<</Type/Catalog/Pages ${tree} 0 R${outlines && `/Outlines ${outlines} 0 R`}${optional}${catalog}>>`,
  );
  const kids = numbers.map((number) => `${number} 0 R`).join(" ");
  const [first] = pages;
  const shared = isInherited && first ? `${boxesOf(first)}/Resources<</Font<<${fontNames}>>>>` : "";
  file.set(tree, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]${shared}>>`);
  const entries = Object.entries(info).map(([key, value]) => ({ key, value }));
  return file.finish(root, entries);
}

function boxesOf({ width = 612, height = 792, cropBox }: PdfPageSource): string {
  return `/MediaBox[0 0 ${width} ${height}]${cropBox ? `/CropBox[${cropBox.join(" ")}]` : ""}`;
}

interface PageSurroundings {
  readonly tree: number;
  readonly fontNames: string;
  readonly isInherited: boolean;
  readonly properties: string;
}

function addPage(
  file: PdfFile,
  page: PdfPageSource,
  { tree, fontNames, isInherited, properties }: PageSurroundings,
): number {
  const { rotate = 0, pictures = [], links = [], fields = [], checkBoxes = [] } = page;
  const content = addContent(file, page);
  const images = pictures.map((picture) =>
    file.addStream(
      `/Type/XObject/Subtype/Image/Width ${picture.width}/Height ${picture.height}/ColorSpace/DeviceGray/BitsPerComponent 8`,
      Buffer.from(picture.pixels),
    ),
  );
  const names = images.map((image, index) => `/I${index + 1} ${image} 0 R`).join("");
  const annotations = links.map(({ url, box }) =>
    file.add(`<</Type/Annot/Subtype/Link/Rect[${box.join(" ")}]/A<</S/URI/URI ${file.string(url)}>>>>`, url),
  );
  const widgets = fields.map((field) => addField(file, field, fontNames));
  const boxes = checkBoxes.map((box) => addCheckBox(file, box, fontNames));
  const annots = [...annotations, ...widgets, ...boxes].map((one) => `${one} 0 R`).join(" ");
  const resources = `/Resources<</Font<<${fontNames}>>/XObject<<${names}>>/Properties<<${properties}>>>>`;
  const own = isInherited ? "" : boxesOf(page) + resources;
  return file.add(
    `<</Type/Page/Parent ${tree} 0 R${own}/Rotate ${rotate}/Contents ${content} 0 R/Annots[${annots}]>>`,
  );
}

function addContent(file: PdfFile, { content, deflations = 0 }: PdfPageSource): number {
  let bytes: Buffer = Buffer.from(content, "latin1");
  for (let time = 0; time < deflations; time += 1) bytes = deflateSync(bytes);
  return file.addStream(`/Filter[${"/FlateDecode".repeat(deflations)}]`, bytes);
}

function addField(
  file: PdfFile,
  { text, x, y }: NonNullable<PdfPageSource["fields"]>[number],
  fontNames: string,
): number {
  const appearance = file.addStream(
    `/Type/XObject/Subtype/Form/BBox[0 0 300 20]/Resources<</Font<<${fontNames}>>>>`,
    Buffer.from(`/Tx BMC BT /F1 12 Tf 2 5 Td (${escaped(text)}) Tj ET EMC`, "latin1"),
  );
  const place = `/Rect[${x} ${y} ${x + 300} ${y + 20}]`;
  return file.add(
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/F 4${place}/DA(/F1 12 Tf 0 g)/AP<</N ${appearance} 0 R>>>>`,
  );
}

/** Its sign is a letter of a font, as programs draw it. */
function addCheckBox(
  file: PdfFile,
  { isChecked, x, y }: NonNullable<PdfPageSource["checkBoxes"]>[number],
  fontNames: string,
): number {
  const sign = (letter: string) =>
    file.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 12 12]/Resources<</Font<<${fontNames}>>>>`,
      Buffer.from(`BT /F1 10 Tf 2 2 Td (${letter}) Tj ET`),
    );
  const states = `/AP<</N<</Yes ${sign("8")} 0 R/Off ${sign("")} 0 R>>>>`;
  return file.add(
    `<</Type/Annot/Subtype/Widget/FT/Btn/T(box)/F 4/Rect[${x} ${y} ${x + 12} ${y + 12}]/AS/${isChecked ? "Yes" : "Off"}${states}>>`,
  );
}

function addOutline(file: PdfFile, outline: NonNullable<PdfSource["outline"]>, pages: readonly number[]) {
  if (outline.length === 0) return "";
  const root = file.reserve();
  const entries = outline.map(() => file.reserve());
  outline.forEach(({ title, page }, index) => {
    const next = entries[index + 1] === undefined ? "" : `/Next ${entries[index + 1]} 0 R`;
    const destination = `/Dest[${pages[page - 1]} 0 R/Fit]`;
    file.set(
      entries[index] as number,
      `<</Title (${escaped(title)})/Parent ${root} 0 R${destination}${next}>>`,
    );
  });
  file.set(root, `<</Type/Outlines/First ${entries[0]} 0 R/Last ${entries.at(-1)} 0 R>>`);
  return root;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}

/** PDF 1.7, algorithm 2: what passwords are filled up with. */
const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const FILE_ID = Buffer.from("0123456789abcdef");
const PERMISSIONS = -4;

/** The objects of a file. Streams and marked strings are encrypted when there is a password. */
class PdfFile {
  readonly #objects: Buffer[] = [];
  readonly #key: Buffer | undefined;
  readonly #owner: Buffer;

  constructor(password: string | undefined) {
    const padded = Buffer.concat([Buffer.from(password ?? "", "latin1"), PADDING]).subarray(0, 32);
    this.#owner = rc4(md5(padded).subarray(0, 5), padded);
    const permissions = Buffer.alloc(4);
    permissions.writeInt32LE(PERMISSIONS);
    const seed = Buffer.concat([padded, this.#owner, permissions, FILE_ID]);
    this.#key = password === undefined ? undefined : md5(seed).subarray(0, 5);
  }

  reserve(): number {
    return this.#objects.push(Buffer.alloc(0));
  }

  set(number: number, body: string): void {
    this.#objects[number - 1] = Buffer.from(body, "latin1");
  }

  /** A literal string; its text is written over when the object is encrypted. */
  string(text: string): string {
    return `(${escaped(text)})`;
  }

  add(body: string, encryptedText?: string): number {
    const number = this.reserve();
    const written = encryptedText === undefined ? body : this.#withSecret(body, encryptedText, number);
    this.set(number, written);
    return number;
  }

  addStream(entries: string, bytes: Buffer): number {
    const number = this.reserve();
    const stored = this.#encrypted(bytes, number);
    this.#objects[number - 1] = Buffer.concat([
      Buffer.from(`<<${entries}/Length ${stored.length}>>\nstream\n`, "latin1"),
      stored,
      Buffer.from("\nendstream", "latin1"),
    ]);
    return number;
  }

  finish(root: number, info: readonly { readonly key: string; readonly value: string }[]): Buffer {
    const entries = info.map(({ key, value }) => `/${key} ${this.string(value)}`).join("");
    const infoNumber = this.add(`<<${entries}>>`);
    const security = this.#key ? `/Encrypt ${this.add(this.#security(this.#key))} 0 R` : "";
    const parts = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
    const offsets: number[] = [];
    let length = parts[0]?.length ?? 0;
    this.#objects.forEach((body, index) => {
      offsets.push(length);
      const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
      parts.push(part);
      length += part.length;
    });
    const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
    const size = offsets.length + 1;
    const id = `<${FILE_ID.toString("hex")}>`;
    const trailer = `<</Size ${size}/Root ${root} 0 R/Info ${infoNumber} 0 R/ID[${id}${id}]${security}>>`;
    const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n${trailer}\nstartxref\n${length}\n%%EOF\n`;
    return Buffer.concat([...parts, Buffer.from(end, "latin1")]);
  }

  #security(key: Buffer): string {
    const user = rc4(key, PADDING).toString("hex");
    return `<</Filter/Standard/V 1/R 2/O<${this.#owner.toString("hex")}>/U<${user}>/P ${PERMISSIONS}>>`;
  }

  #withSecret(body: string, text: string, number: number): string {
    if (!this.#key) return body;
    const hidden = this.#encrypted(Buffer.from(text, "latin1"), number).toString("hex");
    return body.replace(this.string(text), `<${hidden}>`);
  }

  /** PDF 1.7, algorithm 1. */
  #encrypted(bytes: Buffer, number: number): Buffer {
    if (!this.#key) return bytes;
    const salt = Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0]);
    return rc4(md5(Buffer.concat([this.#key, salt])).subarray(0, 10), bytes);
  }
}

function md5(bytes: Buffer): Buffer {
  return createHash("md5").update(bytes).digest();
}

/** Written out: the OpenSSL of Node keeps RC4 with the legacy ciphers. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (i: number, j: number) => {
    [state[i], state[j]] = [state[j] as number, state[i] as number];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255;
    swap(i, j);
  }
  const out = Buffer.alloc(bytes.length);
  for (let n = 0, i = 0, j = 0; n < bytes.length; n += 1) {
    i = (i + 1) & 255;
    j = (j + (state[i] as number)) & 255;
    swap(i, j);
    const mask = state[((state[i] as number) + (state[j] as number)) & 255] as number;
    out[n] = (bytes[n] as number) ^ mask;
  }
  return out;
}
