import { AttributeNames } from "../parser/attribute-names.ts";
import type { HtmlTree } from "../parser/tree.ts";

const CODED = new AttributeNames("data-cfemail");
const CODE = /^(?:[\da-f]{2}){4,200}$/i;
/** Target of protected links until a script inserts the address. */
const PLACE = /^(?:https?:\/\/[^/]{1,255})?\/cdn-cgi\/l\/email-protection(?:#([\da-f]{8,400}))?$/i;
const ADDRESS = /^[^\s@<>()[\]]{1,64}@[^\s@<>()[\]]{1,255}$/;

/** The address that Cloudflare hides from robots and shows to readers; undefined for all other elements. */
export function protectedMail(tree: HtmlTree, node: number): string | undefined {
  return tree.mayHave(node, CODED) ? decodeMail(tree.attribute(node, "data-cfemail")) : undefined;
}

/** The target of a link to a hidden address; undefined for all other links. */
export function protectedLink(tree: HtmlTree, node: number, href: string): string | undefined {
  const place = PLACE.exec(href);
  if (!place) return undefined;
  const mail = decodeMail(place[1]) ?? protectedMail(tree, node);
  return mail === undefined ? undefined : `mailto:${mail}`;
}

/** Each byte is XORed with the first one. */
function decodeMail(code: string | undefined): string | undefined {
  if (code === undefined || !CODE.test(code)) return undefined;
  const [key = 0, ...bytes] = Buffer.from(code, "hex");
  const mail = Buffer.from(bytes.map((byte) => byte ^ key)).toString("utf8");
  const address = mail.split("?", 1)[0] ?? "";
  return ADDRESS.test(address) ? address : undefined;
}
