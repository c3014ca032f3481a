import { tagSet } from "../parser/tag-traits.ts";
import type { HtmlTree } from "../parser/tree.ts";
import { type Selection, without } from "./selection.ts";

/** Ids and classes of the outermost elements that common consent managers add to a page. */
export const consentRoots: readonly string[] = `
  onetrust-consent-sdk onetrust-banner-sdk onetrust-pc-sdk optanon ot-sdk-container
  CybotCookiebotDialog CybotCookiebotDialogBodyUnderlay CookiebotWidget
  didomi-host didomi-popup didomi-notice
  qc-cmp2-container qc-cmp2-main qc-cmp-cleanslate
  usercentrics-root usercentrics-cmp-ui uc-banner uc-banner-modal
  truste-consent-track trustarc-banner truste_overlay truste_box_overlay consent_blackbar
  cmplz-cookiebanner-container cmplz-cookiebanner BorlabsCookieBox BorlabsCookieBoxWrap borlabs-cookie
  iubenda-cs-banner tarteaucitronRoot tarteaucitronAlertBig axeptio_overlay axeptio_mount
  cmpbox cmpbox2 cmpwrapper cookiescript_injected cookiescript_injected_wrapper
  klaro termly-code-snippet-support osano-cm-window osano-cm-dialog ketch-consent-banner lanyard_root
  hs-eu-cookie-confirmation hs-banner-parent moove_gdpr_cookie_info_bar moove_gdpr_cookie_modal
  cookie-law-info-bar cliSettingsPopup cky-consent-container cky-overlay cky-modal
  coiOverlay coi-banner-wrapper cookie-information-template-wrapper ccc ccc-notify ccc-overlay
  fc-consent-root fc-dialog-overlay evidon-banner _evidon_banner _evidon-background
  ppms_cm_popup_overlay ppms_cm_consent_popup shopify-pc__banner shopify-pc__prefs__overlay
  cookiefirst-root cookiehub-card ch2-dialog cookieyes-container gdpr-cookie-message
  cc-window cc-banner cc-revoke cc-main cc--main eu-cookie-law catapult-cookie-bar cookie-choices-info
  sp_message_container wpcc pea_cook_wrapper cookiebanner cookie_banner sd-cmp avacy-consent
  snigel-cmp-framework cassie-widget transcend-consent-manager ensNotifyBanner privacy-notification-wrapper`
  .trim()
  .split(/\s+/);

const ROOTS: ReadonlySet<string> = new Set(consentRoots);

const SUBJECT = "(?:cookies?|gdpr|ccpa|consent|privacy)";
const DEVICE =
  "(?:banner|bar|notice|notification|popup|pop-?up|modal|overlay|dialog|message|box|layer|disclaimer|alert|prompt|warning|widget|manager|wall|container|wrapper)";
/**
 * Names that sites give their own notices, such as `cookie-banner`, `js-cookieNotice` or
 * `gdpr_popup-wrapper`.
 */
export const ownNoticeName = new RegExp(
  `^(?:js-|c-|o-|l-|m-|site-|page-|global-|the-|eu-|app-|block-|ui-)*${SUBJECT}[-_]{0,2}(?:${SUBJECT}|law|policy|info)?[-_]{0,2}${DEVICE}(?:[-_]{1,2}(?:wrapper|container|inner|outer|box|root|main|bottom|top|fixed|\\d+))*$`,
  "i",
);
/** Elements that can be the root of a notice. */
const ROOT_TAGS = tagSet("#unknown div section aside dialog form footer header nav p");
const CONTENT_TAGS = tagSet("main article h1");
/** Characters. A longer text is a page about the subject, not a notice. */
const MAX_NOTICE_LENGTH = 4000;
const MAX_NOTICE_NODES = 1500;
/** Maximum elements checked per page, as each check reads the element's text. */
const MAX_NOTICES = 100;

/** Notices hang at the top of a page. Below this depth, counted from the document, nothing is checked. */
const LOWEST_DEPTH = 6;

/**
 * Drops cookie and consent notices from the selection. Known roots always go; an element named like a notice
 * goes when it is small and holds no content.
 */
export function withoutConsent(selection: Selection): Selection {
  const notices = findNotices(selection.tree);
  return notices.length > 0 ? without(selection, notices) : selection;
}

function findNotices(tree: HtmlTree): readonly number[] {
  const notices: number[] = [];
  /** Ends of the elements around the current node, outermost first. */
  const around: number[] = [];
  let candidates = 0;
  let node = 0;
  while (node < tree.size && candidates < MAX_NOTICES) {
    while ((around.at(-1) ?? tree.size) <= node) around.pop();
    const end = tree.end[node] ?? tree.size;
    const isNotice = ROOT_TAGS[tree.tag[node] ?? 0] === 1 && isNamedNotice(tree, node);
    if (isNotice) candidates += 1;
    const isLeftOut = isNotice && isSmall(tree, node);
    if (isLeftOut) notices.push(node);
    const isDeep = around.length === LOWEST_DEPTH;
    node = isLeftOut || isDeep ? end : node + 1;
    if (!isLeftOut && !isDeep) around.push(end);
  }
  return notices;
}

function isNamedNotice(tree: HtmlTree, node: number): boolean {
  const id = tree.attribute(node, "id");
  if (id !== undefined && namesNotice(id)) return true;
  const classes = tree.attribute(node, "class");
  return classes !== undefined && classes.split(/\s+/).some(namesNotice);
}

function namesNotice(name: string): boolean {
  return ROOTS.has(name) || (name.length < 80 && ownNoticeName.test(name));
}

function isSmall(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? node;
  if (end - node > MAX_NOTICE_NODES) return false;
  for (let inner = node; inner < end; inner += 1) {
    if (CONTENT_TAGS[tree.tag[inner] ?? 0] === 1) return false;
  }
  return tree.textContent(node).replace(/\s+/g, " ").length <= MAX_NOTICE_LENGTH;
}
