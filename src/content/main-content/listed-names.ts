/** Contract, section 3.2: what is expected to disappear. Names are compared as written. */
const CLASSES: ReadonlySet<string> = new Set(
  `header top navbar footer bottom sidebar side aside modal popup overlay ad ads advert lang-selector language
   social social-media social-links menu navigation breadcrumbs share widget cookie`.split(/\s+/),
);
const IDS: ReadonlySet<string> = new Set(
  `header footer sidebar modal ad language-selector social nav breadcrumbs share widget cookie`.split(/\s+/),
);

/** Whether one of the classes of a class attribute is on the list. */
export function isListedClass(className: string): boolean {
  return className !== "" && className.split(/\s+/).some((name) => CLASSES.has(name));
}

/** Whether an id is on the list. */
export function isListedId(id: string): boolean {
  return IDS.has(id);
}
