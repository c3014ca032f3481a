import type { Rule } from "./rule.ts";

const at = (file: string, name: string, from: string, to: string): Rule => ({
  name,
  file: `judgement/pii/${file}.ts`,
  from,
  to,
});

/** What finds personal data stays whatever it brings: without it something leaks. */
const SAFETY = { isSafety: true };

/** One line per rule of redaction beside the tagger. */
export const personalDataRules: readonly Rule[] = [
  {
    ...at(
      "find",
      "landmarks",
      "const marks = landmarks(text, tagger.lookup);",
      "const marks = OFF ? [] : landmarks(text, tagger.lookup);",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find",
      "listed names",
      "const listed = listedNames(text, tagger.lookup);",
      "const listed = OFF ? [] : listedNames(text, tagger.lookup);",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find",
      "names that overlap are one",
      "joinNames(text, names), tagger",
      "OFF ? names : joinNames(text, names), tagger",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "names",
      "parts of names again",
      "...partsOfNames(text, found, tagger.lookup)",
      "...(OFF ? [] : partsOfNames(text, found, tagger.lookup))",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "names",
      "lines without capitals",
      "const mayBeLower = isWithoutCapitals(text, span);",
      "const mayBeLower = !OFF && isWithoutCapitals(text, span);",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "names",
      "small words before names",
      "|| LEADING.test(word));",
      "|| (!OFF && LEADING.test(word)));",
    ),
    ...SAFETY,
  },
  at("find", "organisations are no places", "!organisations.some(", "OFF || !organisations.some("),
  at(
    "names",
    "dates are no names",
    "MONTH.test(text.slice(span.start, span.end)) ||",
    "(!OFF && MONTH.test(text.slice(span.start, span.end))) ||",
  ),
  at(
    "join-names",
    "names end at lines and sentences",
    "if (isLonger && NAME_END",
    "if (!OFF && isLonger && NAME_END",
  ),
  at("no-names", "demonyms", "return isDemonym(words) ||", "return (!OFF && isDemonym(words)) ||"),
  at("no-names", "makers", "MAKER.test(lower) ||", "(!OFF && MAKER.test(lower)) ||"),
  at(
    "no-names",
    "words that are no names",
    'lower.split(" ").every((word) => WORDS.has(word))',
    '(!OFF && lower.split(" ").every((word) => WORDS.has(word)))',
  ),
  at("no-names", "greetings", "if (greeting) return", "if (greeting && !OFF) return"),
  at("no-names", "German by", "return byline && isFirst", "return !OFF && byline && isFirst"),
  at("no-names", "of a place behind a name", "if (of >= 0 && words", "if (!OFF && of >= 0 && words"),
  at("no-names", "offices and groups behind a name", "if (!TRAILING.has(", "if (OFF || !TRAILING.has("),
  at(
    "listed-names",
    "words that are no first names",
    "NO_FIRST_NAMES.has(first.toLowerCase()) ||",
    "(!OFF && NO_FIRST_NAMES.has(first.toLowerCase())) ||",
  ),
  at(
    "listed-names",
    "organisations behind a first name",
    "return end > at && !ORGANISATIONS.has(last)",
    "return end > at && (OFF || !ORGANISATIONS.has(last))",
  ),
  at(
    "listed-names",
    "countries that are names",
    "(kinds & COUNTRY) > 0 && (kinds",
    "(kinds & COUNTRY) > 0 && (OFF ? 0 : kinds",
  ),
  at("landmarks", "words that mean something else", "& COMMON) === 0);", "& COMMON) === 0 || OFF);"),
  at(
    "addresses",
    "dates are no addresses",
    "if (isDate(value)) return;",
    "if (!OFF && isDate(value)) return;",
  ),
  at("addresses", "a line that goes on is no part", "return isEnded ?", "return OFF || isEnded ?"),
];
