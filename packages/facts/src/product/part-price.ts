import type { PriceCandidate } from "./price-candidates.ts";

/** `/ kg`, `per 100 g`, `pro Monat`, `al mese`: what a price is for when it is not the whole product. */
const FOR_A_PART =
  /^\s{0,3}\)?\s{0,3}(?:\/|(?:per|pro|par|je|por|al|à la|na|za)\s)\s{0,3}(?:\d{1,4}(?:[.,]\d{1,2})?\s{0,2})?(?:mo(?:nth|nat|is)?|m[eê]se?s?|mes|mies\.?|měsíc|maand|kg|g|gr|lb|lbs|oz|l|ml|cl|lit(?:er|re|ro)|m|m²|m2|sq|unit|unité|stück|st|piece|pz|szt|week|day|year|an|anno|año|jahr)(?![\p{L}\d])|^\s{0,3}(?:monthly|monatlich|mensuel|mensili|mensuales|mensais)/iu;
/** `12 x`, `10x de`, `4 payments of`: how many of them make the whole. */
const ONE_OF_MANY =
  /(?<![\p{L}\d])\d{1,3}\s{0,3}(?:[x×]|(?:interest-free |easy |monthly |equal )*(?:payments?|instal?lments?)|raten|mensualit[ée]s|rate|cuotas|parcelas|termijnen)\s{0,3}(?:of|de|di|à|a|zu|von|van|je)?\s{0,3}$/iu;

/** Whether a price is one for a unit of measure, for a month, or one of several payments: less than the product costs, or more. */
export function isPartPrice({ text, price }: PriceCandidate): boolean {
  const shown = price.formatted;
  const start = shown === undefined ? -1 : text.indexOf(shown);
  if (shown === undefined || start < 0) return false;
  return FOR_A_PART.test(text.slice(start + shown.length)) || ONE_OF_MANY.test(text.slice(0, start));
}
