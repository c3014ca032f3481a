const LEADING =
  /^[\s:|·•–—-]*(?:(?:written|posted|published|words|text|story|report|reviewed|edited|submitted|reporting|article|interview|recipe|photos?)\s+(?:&\s+\w+\s+)?(?:by|from)|by|from the desk of|author(?:\(s\)|s)?|autor(?:in|en|es|a)?|auteur|autore|verfasser|verfasst von|geschrieben von|ein beitrag von|von|par|por|di|door|af|av|skrevet av|publicado por|escrito por|publié par|propos recueillis par|scritto da|a cura di|przez|napisał|автор|作者|文|撰文|記者|记者|著者|yazan|tekst|texte|text)(?=[\s:：])[\s:：]*/iu;

/** Text after a name in an author line: a date, a role, a reading time. */
const TRAILING =
  /\s*(?:[|•·–—/]|\s-\s|,\s|\(|\bon\s+\p{Lu}|\bin\s+\p{Lu}|\d|\b(?:updated|published|posted|last|for|contributor|contributing|technical|writer|developer|founder|co-founder|ceo|correspondent|reporter|editor|staff|senior|freelance|redakteur|follow|view|min read|says|wrote|is a|at)\b|@|\s{2,}).*$/isu;

const JOINED = /\s+(?:and|und|et|y|e|&|with|en|og|och|i)\s+|\s*[,;]\s+/iu;
const WORD = String.raw`(?:\p{Lu}[\p{L}\p{M}.'’\-]*|de|da|do|dos|das|del|della|van|von|der|den|di|la|le|el|al|bin|ibn|ter|ten|zu|y|e)`;
const NAME = new RegExp(String.raw`^\p{Lu}[\p{L}\p{M}.'’\-]*(?:\s+${WORD}){1,4}$`, "u");
const UNSPACED_NAME =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,8}(?:[\s・·][\p{Script=Han}\p{Script=Katakana}]{1,8})?$/u;

/** Words that are written like names but never name a person. */
const NO_NAME =
  /\b(?:staff|team|editors?|editorial|redaktion|redacción|redazione|rédaction|admin|administrator|guest|news|press|media|agency|agencies|magazine|times|post|daily|today|home|about|contact|read|more|follow|share|subscribe|comments?|privacy|policy|terms|rights|reserved|all|view|posts|articles|latest|author|profile|twitter|facebook|sign|log|january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|updated|published|minutes?|hours?|ago|advertisement|photo|image|getty|reuters|the|this|how|why|what|when)\b/iu;

const MAX_LENGTH = 200;

/** The first person named in an author line; undefined if there is none. */
export function personIn(line: string): string | undefined {
  const text = line.slice(0, MAX_LENGTH).replace(/\s+/g, " ").trim();
  const bare = text.replace(LEADING, "").replace(LEADING, "").trim();
  const [first = ""] = bare.split(JOINED);
  const candidates = [bare, bare.replace(TRAILING, ""), first, first.replace(TRAILING, "")].map(cleaned);
  return candidates.find(isPersonName) ?? (bare === text ? undefined : candidates.slice(0, 2).find(isOffice));
}

/** After `by`, an office such as `News Desk` also counts as the author. */
function isOffice(name: string): boolean {
  return (
    /^(?:The )?\p{Lu}[\p{L}.'’&-]+(?: \p{Lu}[\p{L}.'’&-]+){1,4}$/u.test(name) &&
    name.length < 40 &&
    OFFICE.test(name)
  );
}

const OFFICE = /\b(?:desk|bureau|staff|team|editors?|press|agency|news|redaktion|board|service)\b/i;

function cleaned(name: string): string {
  const bare = name.replace(/^[\s"“(]+|[\s,.:;"”)]+$/gu, "").trim();
  // An author's picture often has the name as its alternative text, which repeats it.
  return /^(.{3,40}) \1$/u.exec(bare)?.[1] ?? bare;
}

export function isPersonName(name: string): boolean {
  if (name.length < 2 || name.length > 50 || NO_NAME.test(name)) return false;
  return NAME.test(isShouted(name) ? titleCase(name) : name) || UNSPACED_NAME.test(name);
}

function isShouted(name: string): boolean {
  return name === name.toUpperCase() && /\p{Lu}{3}/u.test(name);
}

function titleCase(name: string): string {
  return name.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

/** True if the text introduces the author. */
export function opensByline(text: string): boolean {
  return LEADING.test(text.slice(0, MAX_LENGTH));
}
