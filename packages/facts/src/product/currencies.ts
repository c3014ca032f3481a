/** Notations of currencies in search order; the first match wins. */
const WRITTEN: readonly (readonly [code: string, written: RegExp])[] = [
  ["CAD", /\bCA\s?\$|\bC\$|\bCAD\b/],
  ["AUD", /\bAU\s?\$|\bA\$|\bAUD\b/],
  ["NZD", /\bNZ\s?\$|\bNZD\b/],
  ["HKD", /\bHK\s?\$|\bHKD\b/],
  ["SGD", /\bS\$|\bSGD\b/],
  ["TWD", /\bNT\s?\$|\bTWD\b|新台幣|新臺幣/],
  ["MXN", /\bMX\s?\$|\bMXN\b/],
  ["BRL", /R\$|\bBRL\b/],
  ["USD", /\bUS\s?\$|\bUSD\b/],
  ["EUR", /€|\bEUR\b|\beuros?\b/i],
  ["GBP", /£|\bGBP\b/],
  ["INR", /₹|\bINR\b/],
  ["PKR", /₨|\bPKR\b/],
  ["RUB", /₽|(?<!\p{L})руб|\bRUB\b|(?<=\d\s?)р\.(?!\p{L})/iu],
  ["PLN", /zł|\bPLN\b/],
  ["CZK", /Kč|\bCZK\b/],
  ["HUF", /\bFt\b|\bHUF\b/],
  ["RON", /\blei\b|\bRON\b/i],
  ["BGN", /лв|\bBGN\b/],
  ["KRW", /₩|원|\bKRW\b/],
  ["TRY", /₺|\bTL\b|\bTRY\b/],
  ["UAH", /₴|грн|\bUAH\b/],
  ["KZT", /₸|\bKZT\b|(?<!\p{L})(?:тг|тнг)(?!\p{L})/u],
  ["ILS", /₪|\bILS\b/],
  ["VND", /₫|\bVND\b|(?<=\d\s?)đ/],
  ["THB", /฿|\bTHB\b/],
  ["PHP", /₱|\bPHP\b/],
  ["IDR", /\bRp\b|\bIDR\b/],
  ["SAR", /\bSAR\b|ر\.س|ريال/],
  ["AED", /\bAED\b|د\.إ|درهم/],
  ["CHF", /\bCHF\b|\bFr\.(?=\s?\d)/],
  ["SEK", /\bSEK\b/],
  ["NOK", /\bNOK\b/],
  ["DKK", /\bDKK\b/],
  ["ZAR", /\bZAR\b|\bR(?=\s?\d)/],
  ["BYN", /\bBYN\b/],
  ["CNY", /\bCNY\b|\bRMB\b|(?<=\d\s?)元/],
  ["JPY", /\bJPY\b|円/],
];

/** Signs shared by several currencies. The page's language or country decides, else the first is used. */
const SHARED: readonly (readonly [
  sign: RegExp,
  byPlace: Readonly<Record<string, string>>,
  usual: string | undefined,
])[] = [
  [/[¥￥]/, { zh: "CNY", CN: "CNY", ja: "JPY", JP: "JPY" }, "JPY"],
  [
    /(?<!\p{L})kr\b\.?/iu,
    { sv: "SEK", SE: "SEK", nb: "NOK", no: "NOK", NO: "NOK", da: "DKK", DK: "DKK" },
    undefined,
  ],
  [/(?<!\p{L})Rs\.?(?=\s?\d)/iu, { PK: "PKR", LK: "LKR", NP: "NPR" }, "INR"],
  [
    /\$/,
    {
      CA: "CAD",
      AU: "AUD",
      NZ: "NZD",
      SG: "SGD",
      HK: "HKD",
      TW: "TWD",
      MX: "MXN",
      CL: "CLP",
      CO: "COP",
      AR: "ARS",
    },
    "USD",
  ],
];

/** Currencies written with a decimal comma where they are used. */
const DECIMAL_COMMA = new Set(
  "EUR BRL PLN CZK HUF RON BGN TRY VND IDR RUB UAH SEK NOK DKK KZT CLP COP ARS BYN".split(" "),
);

/**
 * The currency in a text. For shared signs, the most common one; prefer `currencyAt` if the locale is known.
 */
export function currencyIn(text: string): string | undefined {
  return currencyAt(text, "");
}

/** The currency in a text on a page with this locale, such as `en-CA`. */
export function currencyAt(text: string, locale: string): string | undefined {
  const written = WRITTEN.find(([, pattern]) => pattern.test(text));
  if (written) return written[0];
  const shared = SHARED.find(([sign]) => sign.test(text));
  if (!shared) return undefined;
  const [, byPlace, usual] = shared;
  const places = locale.split(/[-_]/);
  for (const [place, currency] of Object.entries(byPlace)) if (places.includes(place)) return currency;
  return usual;
}

export function usesDecimalComma(currency: string | undefined): boolean {
  return currency !== undefined && DECIMAL_COMMA.has(currency);
}
