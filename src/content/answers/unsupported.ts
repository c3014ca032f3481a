const FIGURE = /\d+(?:[.,\u00a0 ]\d+)*/g;
const ADDRESS = /https?:\/\/[^\s)\]>"']+/g;

/** Figures and addresses in a text that a page does not have: what a summary or an answer must not bring in. */
export function unsupportedClaims(text: string, page: string): readonly string[] {
  const addresses = (text.match(ADDRESS) ?? []).filter((address) => !page.includes(withoutFullStop(address)));
  const digits = new Set((page.match(FIGURE) ?? []).flatMap(spellings));
  const figures = text.replaceAll(ADDRESS, "").match(FIGURE) ?? [];
  return [...addresses, ...figures.filter((figure) => !spellings(figure).some((one) => digits.has(one)))];
}

function withoutFullStop(address: string): string {
  return address.replace(/[.,;:!?]+$/, "");
}

/** A figure without marks between its digits, and its parts: 1.299,00 may be told as 1299. */
function spellings(figure: string): readonly string[] {
  const parts = figure.split(/\D+/);
  return [parts.join(""), parts.slice(0, -1).join(""), ...(parts.length > 1 ? [] : parts)].filter(Boolean);
}
