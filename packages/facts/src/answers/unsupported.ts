/** Numbers with decimal and thousands separators. */
const FIGURE = /\d+(?:[.,'’\u00a0\u202f ]\d+)*/g;
const SPACE = /[\u00a0\u202f ]/;
const NO_DECIMALS = /['’\u00a0\u202f ]/g;

/** URLs with or without a scheme, and mail addresses. */
const ADDRESS =
  /(?:\b[a-z][a-z\d+.-]{0,20}:\/\/|\/\/(?=[\w-]+\.)|\bwww\.|\b(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\/)[^\s)\]>"']+|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gi;

/**
 * Numbers and addresses in a text that do not occur on the page. Summaries and answers must not contain any.
 */
export function unsupportedClaims(text: string, page: string): readonly string[] {
  const addresses = (text.match(ADDRESS) ?? []).filter((address) => !page.includes(withoutFullStop(address)));
  const said = new Set((page.match(FIGURE) ?? []).flatMap(asToldShort));
  const isSaid = (figure: string) => readings(figure).some((one) => said.has(one));
  const figures = text.replaceAll(ADDRESS, "").match(FIGURE) ?? [];
  return [...addresses, ...figures.filter((figure) => !isSaid(figure) && !figure.split(SPACE).every(isSaid))];
}

function withoutFullStop(address: string): string {
  return address.replace(/[.,;:!?]+$/, "");
}

/**
 * A number of the page in the forms that an answer may quote: 239.6 also as 239, and two adjacent numbers
 * each separately.
 */
function asToldShort(figure: string): readonly string[] {
  const parts = figure.split(SPACE);
  return [figure, ...(parts.length > 1 ? parts : [])].flatMap((one) => {
    const whole = /^(.*)[.,]\d+$/.exec(one)?.[1];
    return [...readings(one), ...(whole === undefined ? [] : readings(whole))];
  });
}

/** Possible values of a number for any separators: 1,299.00 is 1299, and 1.299 may be 1299 or 1.299. */
function readings(figure: string): readonly string[] {
  const digits = figure.replaceAll(NO_DECIMALS, "").replace(/^0+(?=\d)/, "");
  const [, whole = "", fraction] = /^(.*)[.,](\d+)$/.exec(digits) ?? [];
  if (fraction === undefined) return [digits];
  const decimal = `${joined(whole)}.${fraction.replace(/0+$/, "")}`.replace(/\.$/, "");
  return fraction.length === 3 ? [digits, decimal, joined(digits)] : [digits, decimal];
}

function joined(digits: string): string {
  return digits.replaceAll(/[.,]/g, "");
}
