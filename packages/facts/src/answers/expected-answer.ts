import { AMOUNT, PRICE_WORDS } from "./money.ts";

/** What a question asks for, as far as its words tell, and how a text shows that it holds such a thing. */
export interface Expectation {
  readonly asks: RegExp;
  readonly shows: RegExp;
}

const MONTHS =
  "jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|mar(?:ch|zo)?|märz|april|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|enero|febrero|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık";

const DATE = new RegExp(
  `(?<!\\p{N})(?:1\\d{3}|20\\d\\d)(?!\\p{N})|(?<!\\p{L})(?:${MONTHS})(?!\\p{L})|年|月|century|jahrhundert|siglo|siècle|secolo|век|yüzyıl|世纪|世紀`,
  "iu",
);

const NUMBERS =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert|tausend|millionen|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|millones|deux|trois|quatre|cinq|sept|huit|neuf|dix|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|тысяч\\p{L}*|миллион\\p{L}*|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on|yüz|bin|milyon";

const NUMBER = new RegExp(
  `\\p{N}|(?<!\\p{L})(?:${NUMBERS})(?!\\p{L})|[一二三四五六七八九十百千万亿兩两]`,
  "iu",
);

const NAME = /(?<=\S\s+["“«(]*)\p{Lu}[\p{Ll}\p{M}]+|·/u;

/** One line per kind of answer that can be recognised by its form. */
const EXPECTATIONS: readonly Expectation[] = [
  {
    asks: /\b(?:when|what year|which year|what date|what day|what month|what decade|what century|wann|in welchem jahr|welches jahr|welchem datum|cuándo|qué año|qué fecha|quand|quelle année|quando|che anno|que ano|kiedy|wanneer)\b|когда|каком году|какого числа|ne zaman|hangi yıl|hangi tarih|什么时候|何时|哪一?年|哪天|いつ|何年|متى|언제/iu,
    shows: DATE,
  },
  {
    asks: /\b(?:how many|how much|how long|how old|how far|how large|how big|how tall|how high|how often|what percent\p{L}*|what number|wie ?viele?|wie (?:lange|alt|weit|groß|hoch|oft)|cuánt[oa]s?|combien|quant[oaie]|ile|hoeveel)\b|сколько|kaç|ne kadar|yüzde|多少|几|多大|多长|多久|多高|いくら|いくつ|何人|كم|몇|얼마/iu,
    shows: NUMBER,
  },
  {
    asks: /^(?:who|wer|wen|wem|quién|quien|quiénes|qui|chi|quem|kto|wie)\b|\b(?:whose|whom|wessen|a quién|de quién|which (?:person|player|scientist)|name of the)\b|кто|кого|кому|чьё|kim|谁|誰|だれ|من |누가|누구/iu,
    shows: NAME,
  },
];

const PRICE: Expectation = { asks: PRICE_WORDS, shows: AMOUNT };

/** What a query asks for; nothing if that is not clear. A question for a price is not answered by another number. */
export function expectationsOf(query: string): readonly Expectation[] {
  if (PRICE.asks.test(query)) return [PRICE];
  return EXPECTATIONS.filter(({ asks }) => asks.test(query));
}
