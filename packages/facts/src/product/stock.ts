/** Phrases for out of stock. */
const OUT =
  /out[\s_-]?of[\s_-]?stock|sold[\s_-]?out|(?:currently|temporarily|is) unavailable|no longer available|not (?:currently )?available|discontinued|ausverkauft|vergriffen|(?:derzeit |zur zeit |momentan )?nicht (?:verfügbar|lieferbar|auf lager|vorrätig)|esaurit|non disponibile|rupture de stock|indisponible|épuisé|agotad|no disponible|sin existencias|esgotad|indispon[ií]vel|uitverkocht|niet op voorraad|wyprzedan|niedostępn|нет в наличии|распродан|vypredan|vyprodán|nedostupn|nie je skladom|není skladem|slutsåld|ei varastossa|loppuunmyyty|udsolgt|utsolgt|stoc epuizat|indisponibil|売り切れ|在庫なし|品切れ|缺货|售罄|已售完|補貨|품절|אזל/iu;

/** Phrases for in stock. */
const IN =
  /in[\s_-]?stock|(?:online|instore|in-store)[\s_-]?only|limited[\s_-]?availability|pre-?order|pre-?sale|back-?order|made[\s_-]?to[\s_-]?order|ready to ship|add to (?:cart|bag|basket)|auf lager|lieferbar|verfügbar|vorrätig|disponib|en stock|disponível|op voorraad|dostępn|skladom|skladem|в наличии|i lager|på lager|varastossa|în stoc|in stoc|在庫あり|有货|現貨|재고|במלאי/iu;

const MAX_LENGTH = 300;

/** Reads the stock state from data or a phrase; undefined if it says nothing. */
export function stockOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).slice(0, MAX_LENGTH);
  if (saysOutOfStock(text) || /^(?:false|0|no|unavailable|out)$/i.test(text.trim())) return false;
  return IN.test(text) || /^(?:available|true|1|yes)$/i.test(text.trim()) ? true : undefined;
}

/** True if visible text says that something is out of stock. */
export function saysOutOfStock(text: string): boolean {
  return OUT.test(text);
}

/** True if no words follow the phrase: `not available for this item` means something else. */
export function endsOutOfStock(text: string): boolean {
  const found = OUT.exec(text);
  return found !== null && /^\p{L}*\s*(?:$|[^\p{L}\p{N}\s])/u.test(text.slice(found.index + found[0].length));
}

export function saysInStock(text: string): boolean {
  return IN.test(text);
}
