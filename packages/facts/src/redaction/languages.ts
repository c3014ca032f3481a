/** Small words that tell a language from the others: one line per language. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  en: "the and of to is for with that this our are you from was on at by as not his her",
  de: "und der die das ist nicht mit für von den dem ein eine auf zu im wir sie auch bei wird",
  fr: "le les des est et une dans pour que qui par sur au avec pas nous vous sont la du en",
  es: "el los las una con para por que del se es y como más su al la en de está fue",
  it: "il che di per una con del della non è sono gli dei alla nel più come le da ed",
  nl: "de het een van en niet is op voor met dat zijn aan te door bij naar ook wordt uit",
  pl: "w i na z się nie do jest to że po od przez dla oraz jak są był ul który",
  pt: "o os as um uma de da do em para com não que por é na no mais se foi dos",
  sv: "och att det som på är av för en med till den inte ett om har från vid var",
  da: "og at det er på af til en med den for ikke som et har der fra var ved",
  cs: "a v je na se že s do to z pro jako ve by od jsou byl která při",
  tr: "ve bir bu için ile da de olarak olan en daha çok gibi sonra kadar",
};

const LANGUAGE_OF_WORD = languagesByWord();

/** How much of a text is looked at. */
const SAMPLE_CHARACTERS = 6000;

/** Fewer small words than this say nothing. */
const LEAST_WORDS = 4;

/** Codes of the languages that a text is most likely in, the likeliest first; none when nothing speaks for any. */
export function likelyLanguages(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of text
    .slice(0, SAMPLE_CHARACTERS)
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []) {
    for (const language of LANGUAGE_OF_WORD.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const ranked = [...counts].sort((a, b) => b[1] - a[1]);
  if ((ranked[0]?.[1] ?? 0) < LEAST_WORDS) return [];
  return ranked.slice(0, 2).map(([language]) => language);
}

function languagesByWord(): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(SMALL_WORDS)) {
    for (const word of words.split(" ")) languages.set(word, [...(languages.get(word) ?? []), language]);
  }
  return languages;
}
