const CAPTION =
  /^(?:[Ff]ig(?:ure|\.)?|FIG(?:URE|\.)?|[Tt]able|TABLE|[Tt]ab\.|[Aa]bb(?:ildung|\.)|[Tt]abelle|[Tt]ableau|[Ff]igura|[Tt]abla|[Cc]hart|[Ee]xhibit|[Bb]ox|[Pp]late|[Рр]ис\.|[Тт]аблица|图|表|図|그림)\s*(?:\d+|[IVX]+|[A-Z])(?:[-.:–]\d+)*\s*[.:|–—]?(?:\s|$)/;

/** True for a word such as "Figure" followed by a number. */
export function startsAsCaption(text: string): boolean {
  return CAPTION.test(text);
}
