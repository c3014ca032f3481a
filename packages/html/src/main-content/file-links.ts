import { tagSet } from "../parser/tag-traits.ts";
import { tagId } from "../parser/tree.ts";
import { contextBit } from "./tables/context.ts";
import type { PageTables } from "./tables/page-tables.ts";

const ANCHOR = tagId("a");
const ROOT = tagSet("article main section");
const ARTICLE = contextBit("article") | contextBit("main");
const FURNITURE = contextBit("nav") | contextBit("footer") | contextBit("aside") | contextBit("dialog");

/** File name extensions of downloads: documents, sheets, slides, books, data, archives. */
const FILE =
  /\.(?:pdf|docx?|odt|rtf|xlsx?|ods|csv|tsv|pptx?|odp|epub|json|xml|zip|gz|tgz|7z|tar|dmg|exe|msi|deb|rpm|apk)(?:[?#]|$)/i;
const MAX_LINKS = 3;
const LINK_SHARE = 0.9;

/**
 * Keeps bare links to files in the article, next to kept text. Without words around them they look like
 * buttons, but readers came for them.
 */
export function keepFileLinks(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { blocks, elements } = page;
  for (let block = 0; block < blocks.size; block++) {
    const isDoubtful = kept[block] === 0 && (chances[block] ?? 0) > 0;
    if (!isDoubtful || !isBareLink(page, block)) continue;
    const owner = blocks.owner[block] ?? 0;
    const context = elements.context[owner] ?? 0;
    const isInArticle = (context & ARTICLE) !== 0 && (context & FURNITURE) === 0;
    if (isInArticle && isBesideKept(page, block, kept) && leadsToFile(page, block)) kept[block] = 1;
  }
}

function isBareLink({ blocks, texts }: PageTables, block: number): boolean {
  const links = blocks.links[block] ?? 0;
  const isLinked = (texts.linkChars[block] ?? 0) >= LINK_SHARE * (texts.chars[block] ?? 0);
  return links > 0 && links <= MAX_LINKS && isLinked;
}

/**
 * Whether the block before or after is kept and lies in the same article, next to the link or the box around
 * it.
 */
function isBesideKept({ tree, blocks }: PageTables, block: number, kept: Uint8Array): boolean {
  const owner = blocks.owner[block] ?? 0;
  const around = ROOT[tree.tag[owner] ?? 0] === 1 ? owner : (tree.parent[owner] ?? 0);
  const end = tree.end[around] ?? 0;
  for (const other of [block - 1, block + 1]) {
    const place = blocks.first[other] ?? -1;
    if (kept[other] === 1 && place >= around && place < end) return true;
  }
  return false;
}

function leadsToFile({ tree, blocks }: PageTables, block: number): boolean {
  let node = blocks.first[block] ?? 0;
  while (node > 0 && tree.tag[node] !== ANCHOR) node = tree.parent[node] ?? 0;
  return FILE.test(tree.attribute(node, "href") ?? "");
}
