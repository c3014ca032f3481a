import { tagId } from "./tree.ts";

/** A yes/no answer per tag id. */
export type TagSet = Uint8Array;

/** Builds a set from space-separated names, joined with other sets. */
export function tagSet(names: string, ...others: readonly TagSet[]): TagSet {
  const set = new Uint8Array(256);
  for (const other of others) other.forEach((value, id) => (set[id] = (set[id] ?? 0) | value));
  for (const name of names.split(/\s+/u)) if (name !== "") set[tagId(name)] = 1;
  return set;
}

/** Elements that never have content. */
export const VOID = tagSet(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);

/** HTML elements whose content is text up to their end tag. In svg and math, it is parsed normally. */
export const RAW_TEXT = tagSet("script style textarea title xmp iframe noembed noframes plaintext");

/** Raw-text elements whose content has no character references. */
export const UNDECODED_TEXT = tagSet("script style xmp iframe noembed noframes plaintext");

/** Elements that drop one newline right after their start tag. */
export const DROPS_FIRST_NEWLINE = tagSet("pre textarea listing");

export const HEADING = tagSet("h1 h2 h3 h4 h5 h6");

/** Elements that a page has once. Only framesets may nest. */
export const PAGE_PART = tagSet("html head body frameset");

/** Elements allowed in `head`. Any other element ends it. */
export const HEAD_CONTENT = tagSet(
  "base basefont bgsound link meta noframes noscript script style template title",
);

/** Elements whose content is parsed as HTML again inside svg and math. */
export const INTEGRATION_POINT = tagSet("foreignobject desc title annotation-xml mi mn mo ms mtext");

/** HTML standard, 13.2.4.2: the "special" category. */
export const SPECIAL = tagSet(
  `address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup
   dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset head header hgroup hr html
   iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param
   plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead
   title tr track ul wbr xmp`,
  HEADING,
  INTEGRATION_POINT,
);

/** HTML standard, 13.2.4.2: "has an element in scope" stops here. */
export const SCOPE = tagSet("applet caption html table td th marquee object template", INTEGRATION_POINT);

/** Inline elements that an end tag closes even across blocks. `form` behaves alike. */
export const FORMATTING = tagSet("a b big code em font form i nobr s small strike strong tt u");

/** Elements that an end tag closes together with everything still open inside them. */
export const CLOSED_WITH_CONTENT = tagSet(
  `address applet article aside blockquote button caption center colgroup dd details dialog dir div dl dt fieldset
   figcaption figure footer head header hgroup li listing main marquee math menu nav noscript object ol p pre search
   section select summary svg table tbody td template tfoot th thead tr ul`,
);

export const TABLE_PART = tagSet("caption colgroup tbody td tfoot th thead tr");

/** Elements whose start tag ends an open paragraph. */
export const CLOSES_PARAGRAPH = tagSet(
  `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form
   header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp`,
  HEADING,
);

/** HTML standard, 13.2.6.5: start tags that leave svg and math. */
export const LEAVES_FOREIGN = tagSet(
  `b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre ruby
   s small span strong strike sub sup table tt u ul var`,
  HEADING,
);
