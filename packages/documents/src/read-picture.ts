import { writeMarkdown } from "./blocks/blocks-markdown.ts";
import { layOut } from "./layout/document.ts";
import { draftPage } from "./layout/draft.ts";
import type { PdfPage } from "./layout/page/page.ts";
import type { PictureFile, PictureText } from "./model/reader.ts";
import { unreadable } from "./errors.ts";
import { decodePicture } from "./images/decode.ts";
import type { OcrPicture } from "./ocr/ocr-engine.ts";
import { recognisePage } from "./ocr-page.ts";
import type { WorkTools } from "./work.ts";

const POINTS_PER_INCH = 72;

/**
 * Recognises the text of a picture and lays it out as a page.
 * @throws DocumentError `unreadable-file` if the picture cannot be decoded, or there is no OCR engine.
 */
export async function readPicture({ body, languages }: PictureFile, tools: WorkTools): Promise<PictureText> {
  const picture = await decodePicture(body, tools.pdf);
  const engine = await tools.ocr();
  if (!engine) throw unreadable("nothing here recognises text: install tesseract");
  const page = await recognisePage(pageOf(picture), picture, { engine, languages, signal: tools.signal });
  const { markdown } = writeMarkdown(layOut([draftPage(page)], []), { pageMarkers: false });
  return { markdown };
}

/** An empty page of the picture's size. */
function pageOf({ width, height, dpi }: OcrPicture): PdfPage {
  const scale = POINTS_PER_INCH / dpi;
  return {
    number: 1,
    width: width * scale,
    height: height * scale,
    words: [],
    rulings: [],
    boxes: [],
    images: [],
    links: [],
    tags: undefined,
    glyphs: 0,
    unmapped: 0,
    isCut: false,
    source: "layout_ocr",
  };
}
