/** Numbers of styles: [MS-DOC], sections 2.9.271 and 2.9.260. Those of headings are the same in every file. */
const TITLE = 62;
const FIRST_HEADING = 1;
const OWN_STYLE = 0xffe;
const MAX_STYLES = 4_095;

/** Gives paragraphs of a page of paragraph properties the style of first headings where theirs is one of titles. */
export function titlesToHeadings(page: Buffer, titles: ReadonlySet<number>): void {
  const lastByte = page.length - 1;
  const paragraphs = Math.min(page.readUInt8(lastByte), Math.floor((lastByte - 4) / 17));
  for (let paragraph = 0; paragraph < paragraphs; paragraph++) {
    const at = page.readUInt8((paragraphs + 1) * 4 + paragraph * 13) * 2;
    // A length of zero stands before one of two bytes.
    const style = at + (page[at] === 0 ? 2 : 1);
    if (at > 0 && style + 2 <= lastByte && titles.has(page.readUInt16LE(style)))
      page.writeUInt16LE(FIRST_HEADING, style);
  }
}

/** The styles of titles, by their place in the list of styles. */
export function titleStyles(list: Buffer): ReadonlySet<number> {
  const titles = new Set<number>();
  if (list.length < 6) return titles;
  const nameAt = list.readUInt16LE(4);
  let at = 2 + list.readUInt16LE(0);
  for (let place = 0; place < MAX_STYLES && at + 4 <= list.length; place++) {
    const style = list.subarray(at + 2, at + 2 + list.readUInt16LE(at));
    if (style.length > nameAt + 2 && isTitle(style, nameAt)) titles.add(place);
    at += 2 + style.length + (style.length % 2);
  }
  return titles;
}

function isTitle(style: Buffer, nameAt: number): boolean {
  const number = style.readUInt16LE(0) & 0xfff;
  const name = style.toString("utf16le", nameAt + 2, nameAt + 2 + style.readUInt16LE(nameAt) * 2);
  return number === TITLE || (number === OWN_STYLE && /^title$/i.test(name));
}
