const LISTED_CLASSES: ReadonlySet<string> = new Set(
  `header top navbar footer bottom sidebar side aside modal popup overlay ad ads advert lang-selector language
   social social-media social-links menu navigation breadcrumbs share widget cookie`.split(/\s+/),
);

const LISTED_IDS: ReadonlySet<string> = new Set(
  `header footer sidebar modal ad language-selector social nav breadcrumbs share widget cookie`.split(/\s+/),
);

/** Whether a class or the id is on the fixed list of furniture. Names are compared as written. */
export function isListed(className: string, id: string): boolean {
  if (LISTED_IDS.has(id)) return true;
  return className !== "" && className.split(/\s+/).some((name) => LISTED_CLASSES.has(name));
}

/** Words that name furniture when a class or id starts or ends with them. */
const WORDS =
  `nav|navbar|navigation|menu|submenu|footer|sidebar|breadcrumbs?|cookies?|cookie-?(?:bar|banner|notice|consent)|
  consent|gdpr|newsletter|subscribe|sharing|share-?(?:buttons?|bar|links?|icons?)|social-?(?:icons?|media|links?|share)|
  related|related-?(?:posts?|articles?|products?|links?|content|stories)|recommended|recommendations?|promo|advertisements?|
  sponsored|popup|pagination|pager|toolbar|masthead|topbar|offcanvas|sr-only|visually-?hidden|
  screen-reader(?:-text)?|skip-?link|skip-?to-?content|site-header|page-footer|read-?next|also-like|most-?(?:read|popular)|
  trending`.replace(/\s+/g, "");

const CHROME_NAME = new RegExp(
  `^(?:[a-z\\d]+[-_]+){0,3}(?:${WORDS})(?:[-_]+(?:wrapper|wrap|container|inner|outer|block|box|section|area|list|items?|links?|widget|module|\\d+))*$`,
);

/** Names that tell what an element does beside furniture, not what it is. */
const STATE_NAME =
  /^(?:has|with|without|no|w|and|is|not|hide|show|layout|hidden|js|page|col|content|main|single)[-_]/;

/** Whether a class or id among `names`, separated by spaces, names furniture. */
export function namesChrome(names: string): boolean {
  return names.split(/\s+/).some((name) => name.length > 2 && isChromeName(name));
}

function isChromeName(name: string): boolean {
  const words = name.replace(/([a-z\d])(?=[A-Z])/g, "$1-").toLowerCase();
  return CHROME_NAME.test(words) && !STATE_NAME.test(words);
}

const CONSENT =
  /(?:^|[\s_-])(?:cookies?|gdpr|ccpa)(?:[_-]?(?:consent|banner|bar|notice|popup|modal|law|policy|settings|message|overlay|wrapper|box|container|info))?(?:[\s_-]|$)|consent[_-]/i;

/** Whether the names are those of a notice about cookies. */
export function namesConsent(names: string): boolean {
  return CONSENT.test(names);
}
