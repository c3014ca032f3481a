import { isSpace } from "../../parser/characters.ts";

/** Contract, section 3.2: what is expected to disappear. Names are compared as written. */
const CLASSES: ReadonlySet<string> = new Set(
  `header top navbar footer bottom sidebar side aside modal popup overlay ad ads advert lang-selector language
   social social-media social-links menu navigation breadcrumbs share widget cookie`.split(/\s+/),
);
const IDS: ReadonlySet<string> = new Set(
  `header footer sidebar modal ad language-selector social nav breadcrumbs share widget cookie`.split(/\s+/),
);

const MAX_LENGTH = Math.max(...[...CLASSES].map((name) => name.length));

/** Whether one of the classes of a class attribute is on the list. */
export function isListedClass(className: string): boolean {
  let from = 0;
  for (let at = 0; at <= className.length; at++) {
    if (at < className.length && !isSpace(className.charCodeAt(at))) continue;
    const length = at - from;
    if (length > 1 && length <= MAX_LENGTH && CLASSES.has(className.slice(from, at))) return true;
    from = at + 1;
  }
  return false;
}

/** Whether an id is on the list. */
export function isListedId(id: string): boolean {
  return IDS.has(id);
}
