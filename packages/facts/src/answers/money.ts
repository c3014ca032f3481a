/** Pseudo-stem added once per amount of money. It cannot clash with a word, as it is not a letter. */
export const MONEY = "¤";

const CODES = Intl.supportedValuesOf("currency").join("|");
const NAMES =
  "euros?|dollars?|pounds?|cents?|francs?|franken|yen|yuan|pesos?|rupees?|reais|kronen|kronor|kroner|kr|zł|złotych|lira|руб(?:лей|ля|ль)?|元|円|원";
const CURRENCY = `(?:\\p{Sc}|(?<![\\p{L}\\p{N}])(?:${CODES})(?![\\p{L}\\p{N}])|(?<!\\p{L})(?:${NAMES})(?!\\p{L}))`;

/** An amount of money in digits. */
export const AMOUNT = new RegExp(`${CURRENCY}\\s?\\p{N}|\\p{N}\\s?${CURRENCY}`, "u");
const AMOUNTS = new RegExp(AMOUNT, "gu");

const ASKING =
  "prices?|costs?|fees?|preise?|kosten|kostet|precios?|cuestan?|prix|tarifs?|coûte(?:nt)?|prezz[oi]|costa(?:no)?|preços?|custam?|cen[ay]|kosztuje|prijs|kost|цен[аы]|стоит|стоимость|fiyatı?";

/** Words that ask for an amount of money. */
export const PRICE_WORDS = new RegExp(
  `(?<!\\p{L})(?:${ASKING})(?!\\p{L})|价格|价钱|價格|値段|価格|いくら|가격`,
  "iu",
);

export function countMoney(text: string): number {
  return text.match(AMOUNTS)?.length ?? 0;
}
