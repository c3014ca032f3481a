import type { PageLink } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { boxIn, type PageSpace, writtenCorners } from "./space.ts";

const MAX_LINKS = 2000;

/** fpdf_doc.h: PDFACTION_URI. */
const URI_ACTION = 3;

/** Behind the four floats of a box, in units of 4 bytes. */
const POSITION = 16;
const LINK = 17;

interface LinkSource {
  readonly document: number;
  readonly page: number;
  readonly space: PageSpace;
}

/** The page's links to the web, with the places where they are clicked. */
export function readLinks(pdfium: Pdfium, source: LinkSource): readonly PageLink[] {
  const { call, memory } = pdfium;
  const links: PageLink[] = [];
  const position = memory.scratch + 4 * POSITION;
  memory.setInteger(POSITION, 0);
  for (let left = MAX_LINKS; left > 0; left -= 1) {
    if (call.FPDFLink_Enumerate(source.page, position, memory.scratch + 4 * LINK) === 0) break;
    const link = linkOf(pdfium, memory.integer(LINK), source);
    if (link) links.push(link);
  }
  return links;
}

function linkOf(pdfium: Pdfium, link: number, { document, space }: LinkSource): PageLink | undefined {
  const { call, memory } = pdfium;
  const action = call.FPDFLink_GetAction(link);
  if (action === 0 || call.FPDFAction_GetType(action) !== URI_ACTION) return undefined;
  const url = memory.text("utf8", (pointer, size) =>
    call.FPDFAction_GetURIPath(document, action, pointer, size),
  );
  if (url === "" || call.FPDFLink_GetAnnotRect(link, memory.scratch) === 0) return undefined;
  const { left, bottom: top, right, top: bottom } = writtenCorners(pdfium);
  return { url, box: boxIn(space.matrix, { left, bottom, right, top }) };
}
