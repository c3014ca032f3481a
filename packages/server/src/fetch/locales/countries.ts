/** Officially assigned codes of ISO 3166-1 alpha-2. */
const codes = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
  UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
);

/** Names that the public interface accepts besides the codes. Both stand for the United States. */
const aliases = new Map([
  ["US-GENERIC", "US"],
  ["US-WHITELIST", "US"],
]);

/** Upper-case country code for a requested name. Undefined when the name is unknown. */
export function countryCode(text: string): string | undefined {
  const upper = text.toUpperCase();
  return codes.has(upper) ? upper : aliases.get(upper);
}

/**
 * Languages of a visitor, most preferred first: the requested ones, or those of the country. English is added
 * last, as browsers outside English-speaking countries do. Qualities are dropped, because the order already
 * expresses them.
 */
export function languagesOf(country: string, requested: readonly string[]): readonly string[] {
  const tags = new Set(requested.map((language) => language.replace(/;.*/s, "").trim()));
  return tags.size > 0 ? [...tags] : languagesSpokenIn(country);
}

/** `Accept-Language` header of these languages, in falling priority. 0 would refuse a language. */
export function acceptLanguage(languages: readonly string[]): string {
  const quality = (index: number) => Math.max(0.1, 1 - index / 10).toFixed(1);
  return languages
    .map((language, index) => (index === 0 ? language : `${language};q=${quality(index)}`))
    .join(",");
}

/**
 * NOTE: the map has at most the countries above, and fixed values. ICU takes a tenth of a millisecond for
 * each.
 */
const spoken = new Map<string, readonly string[]>();

function languagesSpokenIn(country: string): readonly string[] {
  const known = spoken.get(country);
  if (known) return known;
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const regional = `${language}-${country}`;
  const languages = language === "en" ? [regional, "en"] : [regional, language, "en-US", "en"];
  if (codes.has(country)) spoken.set(country, languages);
  return languages;
}
