import type { Rule } from "./rule.ts";

const at = (file: string, name: string, from: string, to: string): Rule => ({
  name,
  file: `packages/facts/src/redaction/${file}.ts`,
  from,
  to,
});

/** What finds personal data stays whatever it brings: without it something leaks. */
const SAFETY = { isSafety: true };

/** One line per rule of redaction beside the tagger. */
export const personalDataRules: readonly Rule[] = [
  {
    ...at("find", "landmarks", "const marks = landmarks(text);", "const marks = OFF ? [] : landmarks(text);"),
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
      "joinNames(text, names)",
      "OFF ? names : joinNames(text, names)",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find",
      "parts of names again",
      "...partsOfNames(text, found, tagger.lookup)",
      "...(OFF ? [] : partsOfNames(text, found, tagger.lookup))",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find",
      "lines without capitals",
      "const mayBeLower = isWithoutCapitals(text, span);",
      "const mayBeLower = !OFF && isWithoutCapitals(text, span);",
    ),
    ...SAFETY,
  },
  {
    ...at(
      "find",
      "small words before names",
      "|| LEADING.test(word));",
      "|| (!OFF && LEADING.test(word)));",
    ),
    ...SAFETY,
  },
  at(
    "find",
    "dates are no names",
    "MONTH.test(text.slice(span.start, span.end)) ||",
    "(!OFF && MONTH.test(text.slice(span.start, span.end))) ||",
  ),
  at(
    "find",
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
  at("no-names", "offices and groups behind a name", "if (!TRAILING.has(", "if (OFF || !TRAILING.has("),
  at(
    "addresses",
    "dates are no addresses",
    "if (isDate(value)) return;",
    "if (!OFF && isDate(value)) return;",
  ),
  at("addresses", "a line that goes on is no part", "return isEnded ?", "return OFF || isEnded ?"),
];
