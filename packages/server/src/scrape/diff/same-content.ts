/** Frames hold advertisements and players. Their addresses change with every visit. */
const FRAME_LINK = /\[iframe\]\([^()\n]{0,5000}\)/g;
/** `**2** hours ago` is as volatile as `2 hours ago`. */
const MARKED_NUMBER = /(\*{1,3}|_{1,3})(\d[\d.,]{0,20}[kKmM]?)\1/g;
const BYTE_ORDER_MARK = "\u{FEFF}";

/**
 * Whether two versions of a page have the same content. White space, frames and volatile text do not count,
 * and whole lines may change their order (contract, section 3.12).
 */
export function isSameContent(before: string, after: string): boolean {
  if (before === after) return true;
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.join("") === now.join("")) return true;
  return isSameList(old.toSorted(), now.toSorted());
}

/** Lines without white space. Empty lines are left out. */
function linesOf(text: string): readonly string[] {
  const plain = text.replaceAll(BYTE_ORDER_MARK, "").replace(FRAME_LINK, "").replace(MARKED_NUMBER, "$2");
  const folded = foldVolatile(plain);
  return folded
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, ""))
    .filter((line) => line !== "");
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

/**
 * Units of time, as stems, in twelve languages. A number next to one tells how long ago something happened.
 */
const TIME_UNITS = [
  "sec(?:ond)?s?|min(?:ute)?s?|hrs?|hours?|days?|weeks?|months?|years?",
  "Sekunden?|Minuten?|Stunden?|Tag(?:en?)?|Wochen?|Monat(?:en?)?|Jahr(?:en?)?",
  "secondes?|heures?|jours?|semaines?|mois|ans?",
  "segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|a[nñ]os?|anos?",
  "second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]",
  "seconden|minuten|uur|uren|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar",
  "sekund[aęy]?|minut[aęy]?|godzin[aęy]?|dni|dzień|tygodni[ae]?|tydzień|miesi[ąę]c[ey]?|lat[a]?|rok",
  "секунд[уы]?|минут[уы]?|час(?:а|ов)?|д(?:ень|ня|ней)|недел[июья]|месяц(?:а|ев)?|год(?:а)?|лет",
  "saniye|dakika|saat|gün|hafta|ay|yıl",
].join("|");

/** Words before a number and a unit that make it a time in the past. */
const PAST_BEFORE = "vor|il y a|hace|há|fa";
const PAST_AFTER = "ago|fa|atrás|geleden|temu|назад|önce";
const ROUGHLY = "about|around|over|almost|nearly|less than|more than|etwa|ca\\.?|environ|circa|casi";
/** Words for a small number. */
const FEW =
  "an?|one|a few|a couple of|several|einem|einer|wenigen|einigen|un[ea]?|quelques|unos|unas|pocos|uma?|alguns|poch[ie]";

/** Words that say when the page itself was made, before a time of day. */
const MADE =
  "(?:last |page )?(?:updated|refreshed|generated|rendered|retrieved|checked|modified)|as of|(?:current|local|server|system) time|time now|zuletzt aktualisiert|aktualisiert|erstellt am|stand|uhrzeit|mis à jour|heure actuelle|actualizado|hora actual|aggiornato|bijgewerkt|atualizado|обновлено";
/** A date, of which a time of day follows. */
const DATE = "(?:[\\p{L}\\d][\\p{L}\\d.,/\\-]{0,12}[ ,T]{1,2}){0,6}";
const TIME_OF_DAY =
  "\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,6})?)?(?: ?[ap]\\.?m\\.?)?(?: ?(?:UTC|GMT|CES?T|[ECMP][SD]T|Z|Uhr))?";
const LEFT =
  "(?:sale |offer |deal |auction |bidding )?(?:ends|ending|closes|expires|starts|begins) in|time left|time remaining|remaining|endet in|noch|se termine dans|termina en";

/** Words next to which a number counts readers' activity. */
const COUNTED = [
  "views?|likes?|comments?|shares?|reads?|followers?|subscribers?|upvotes?|votes?|points?|online|visitors?|watching|watchers?|downloads?|installs?|plays?|claps?|replies|retweets?|reposts?|reactions?|reviews?|ratings?|bookmarks?|impressions?",
  "(?:people|users?|guests?|members?|shoppers?|others?|customers?|readers?)(?: are| is)?(?: currently| now)? (?:viewing|watching|online|browsing|looking|reading)",
  "Aufrufe?|Kommentare?|Gefällt mir|Abonnenten|Besucher",
  "vues?|commentaires?|partages?|abonnés?|visiteurs?",
  "visitas?|visualizaciones|comentarios?|seguidores|visualizações|comentários?|curtidas?",
  "visualizzazioni|commenti|weergaven|reacties|wyświetle[nń]|komentarzy|просмотр(?:а|ов)?|комментари(?:й|я|ев)|görüntüleme|yorum",
].join("|");

const NUMBER = "\\d+(?:[.,\\u00a0\\u202f ]\\d{3})*(?:[.,]\\d+)?\\s?[kKmM]?";
const START = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}])";

interface Folding {
  readonly name: string;
  readonly pattern: RegExp;
  readonly by: string;
}

/** Text that changes by itself, and what replaces it in comparisons. One line each. */
const foldings: readonly Folding[] = [
  {
    name: "time before",
    by: "‹time›",
    pattern: words(`(?:${PAST_BEFORE}) (?:(?:${ROUGHLY}) )?(?:\\d{1,4}|${FEW}) (?:${TIME_UNITS})`),
  },
  {
    name: "time after",
    by: "‹time›",
    pattern: words(
      `(?:(?:${ROUGHLY}) )?(?:\\d{1,4} ?(?:${TIME_UNITS}|mo|[smhdwy])\\.?,? (?:and )?){0,2}(?:\\d{1,4} ?|(?:${FEW}) )(?:${TIME_UNITS}|mo|[smhdwy])\\.? (?:${PAST_AFTER})`,
    ),
  },
  {
    name: "time of the page",
    by: "‹time›",
    pattern: words(`(?:${MADE})(?: on| at| am)?:? ?${DATE}(?:at |um |à )?${TIME_OF_DAY}`),
  },
  {
    name: "countdown",
    by: "‹time›",
    pattern: words(
      `(?:${LEFT}):? (?:\\d{1,3} ?(?:${TIME_UNITS}|[dhms]),? (?:and |und )?){0,3}(?:\\d{1,3}(?::\\d{2}){1,3}|\\d{1,3} ?(?:${TIME_UNITS}|[dhms]))`,
    ),
  },
  {
    name: "time it took",
    by: "‹time›",
    pattern: words(
      "(?:generated|rendered|loaded|served|created|executed|processed|took|queries)(?: in)? \\d{1,6}(?:[.,]\\d{1,9})? ?(?:ms|s|secs?|seconds?|milliseconds?|Sekunden)",
    ),
  },
  {
    name: "id of the request",
    by: "‹id›",
    pattern: words(
      "(?:request|trace|ray|session|correlation|incident|reference)[ -]?id:? `{0,2}[0-9a-z][0-9a-z-]{7,63}`{0,2}",
    ),
  },
  {
    name: "time in CJK",
    by: "‹time›",
    pattern:
      /\d{1,4} ?(?:秒|分钟?|小时|時間|天|日|周|週間|个月|か月|年|초|분|시간|일|주|개월|년) ?(?:前|전)/g,
  },
  {
    name: "just now",
    by: "‹time›",
    pattern: words(
      "just now|(?:a )?moments? ago|gerade eben|à l'instant|ahora mismo|proprio ora|только что|(?<=(?:posted|published|updated|edited|modified|added|active|last seen)(?: on)? )(?:today|yesterday)",
    ),
  },
  {
    name: "counter beside a sign",
    by: "‹count›",
    pattern: new RegExp(`(?:[❤♥♡💬👁👀🔥]|👍|👎)\\uFE0F? ?${NUMBER}${END}`, "gu"),
  },
  { name: "counter before", by: "‹count›", pattern: words(`${NUMBER} ?(?:${COUNTED})`) },
  { name: "counter after", by: "‹count›", pattern: words(`(?:${COUNTED}): ?${NUMBER}`) },
  {
    name: "tracking parameter",
    by: "",
    pattern:
      /(?<=[?&])(?:utm_[a-z_]{1,30}|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|igshid|_ga|ref_src|sid|phpsessid|jsessionid|sessionid|session_id|nonce|csrf(?:_?token)?|_wpnonce|cb|cachebuster|timestamp|ts|rnd|random|_|_t|xsrf|authenticity_token|(?:access_)?token|x-(?:amz|goog)-[a-z-]{1,40}|expires|signature|sig|key-pair-id|awsaccesskeyid|googleaccessid)=[^&#)\s"'<>]{0,500}&?/gi,
  },
  {
    name: "version of a picture",
    by: "",
    pattern:
      /(?<=\.(?:png|jpe?g|gif|webp|avif|svg|ico)\?)(?:(?:v|ver|version|rev|hash|h|t|_|cache)=[^&#)\s"'<>]{1,200}|\d{6,20})&?/gi,
  },
  {
    name: "hidden address",
    by: "",
    pattern: /(?<=\/cdn-cgi\/l\/email-protection)#[0-9a-f]{1,400}/gi,
  },
  { name: "session in path", by: "", pattern: /;jsessionid=[\w.!-]{1,200}/gi },
  { name: "ends of emptied queries", by: "", pattern: /[?&](?=[)\s"'<>#]|$)/gm },
];

function words(inner: string): RegExp {
  return new RegExp(`${START}(?:${inner})${END}`, "giu");
}

/** Replaces all text that changes by itself. */
function foldVolatile(text: string): string {
  return foldings.reduce((folded, { pattern, by }) => folded.replace(pattern, by), text);
}
