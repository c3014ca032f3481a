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
 * The text of a picture, laid out as that of a page.
 * @throws DocumentError `unreadable-file` when it cannot be decoded, or nothing recognises text.
 */
export async function readPicture({ body, languages }: PictureFile, tools: WorkTools): Promise<PictureText> {
  const picture = await decodePicture(body, tools.pdf);
  const engine = await tools.ocr();
  if (!engine) throw unreadable("nothing here recognises text: install tesseract");
  const page = await recognisePage(pageOf(picture), picture, { engine, languages, signal: tools.signal });
  const { markdown } = writeMarkdown(layOut([draftPage(page)], []), { pageMarkers: false });
  return { markdown };
}

/** A page as large as the picture, with nothing on it yet. */
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
