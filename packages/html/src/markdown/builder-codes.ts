/** Codes of page builders that a site without its builder shows as text: `[vc_row type="full"]`, `[/et_pb_text]`. */
const CODES = /\[\/?(?:vc|et_pb|fusion|av|mk|nectar)_[a-z\d_]{1,40}(?:\s[^[\]]{0,2000})?\]/g;
const BEGINS = /^\s{0,200}\[\/?(?:vc|et_pb|fusion|av|mk|nectar)_[a-z]/;

/** The text without the codes of page builders that it begins with; one that mentions them stays as it is. */
export function withoutBuilderCodes(text: string): string {
  return BEGINS.test(text) ? text.replace(CODES, " ") : text;
}
