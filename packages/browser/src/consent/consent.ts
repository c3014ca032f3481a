import type { Protocol } from "devtools-protocol";

import { type ConsentEngine, openConsentEngine } from "./consent-engine.ts";
import { watchEffects } from "../input/effects.ts";
import {
  callInFrame,
  callInPage,
  callOnElement,
  type ElementHandle,
  hasLeft,
  PageScriptError,
} from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";
import * as programs from "../programs/consent.ts";
import { liesOver, refuseDialog } from "../programs/consent-dialog.ts";
import { CdpError } from "../cdp/cdp-session.ts";

interface ConsentNames {
  /** Ids and classes of the roots of consent managers. */
  readonly roots: readonly string[];
  /** Source of a case-insensitive regular expression: names that sites give their own notices. */
  readonly ownNames: string;
  /** Whether the page only asks, so that a button anywhere on it answers. */
  readonly isWall?: boolean;
}

/** A refusal that takes longer has gone wrong. */
const LIMIT_MS = 4_000;
/** When a page opens another one meanwhile, the refusal starts again there. */
const ATTEMPTS = 2;
/** When the rules find no notice in this time, there is none. Counts from when the script has its rules. */
const DETECTION_LIMIT_MS = 1_000;

interface EngineMessage {
  readonly type: string;
  readonly url?: string;
  readonly id?: string;
  readonly code?: string;
  readonly result?: boolean;
}

/**
 * Refuses what a consent notice asks for, and removes the notice from the page. Costs one check when there is
 * none.
 * @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted.
 */
export async function refuseConsent(
  tab: BrowserTab,
  { roots, ownNames, isWall = false }: ConsentNames,
  signal: AbortSignal,
): Promise<void> {
  const names = [roots, ownNames];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const outcome = await tryToRefuse(tab, names, signal);
    if (outcome === "no notice") return refuseUnknown(tab, isWall, signal);
    if (outcome === "refused") break;
  }
  try {
    await callInPage(tab, programs.removeNotices, names, signal);
  } catch (failure) {
    throwUnlessOfPage(failure);
  }
}

/** Recognizes a dialog with unknown names by its subject and its button. */
async function refuseUnknown(tab: BrowserTab, isWall: boolean, signal: AbortSignal): Promise<void> {
  const effects = watchEffects(tab);
  const words = [CONSENT_SUBJECT, CONSENT_REFUSALS];
  try {
    const isRefused =
      (await callInPage<boolean>(tab, refuseDialog, [...words, isWall], signal)) ||
      (await refuseInFrame(tab, words, signal));
    if (isRefused) await effects.settled(signal);
  } catch (failure) {
    throwUnlessOfPage(failure);
  } finally {
    effects.stop();
  }
}

async function tryToRefuse(
  tab: BrowserTab,
  names: readonly unknown[],
  signal: AbortSignal,
): Promise<"no notice" | "refused" | "page lost"> {
  try {
    if (!(await callInPage<boolean>(tab, programs.seesNotice, names, signal))) return "no notice";
  } catch (failure) {
    throwUnlessOfPage(failure);
    return "page lost";
  }
  const effects = watchEffects(tab);
  let isLost = false;
  try {
    await refuse(tab, await openConsentEngine(), signal);
  } catch (failure) {
    throwUnlessOfPage(failure);
    isLost = true;
  }
  await effects.settled(signal);
  return isLost ? "page lost" : "refused";
}

/** Ignores failures that occur because the page opened another one or broke the script. */
function throwUnlessOfPage(failure: unknown): void {
  if (!hasLeft(failure) && !(failure instanceof PageScriptError)) throw failure;
}

/** Lets the script find the notice and press its buttons, until it is done. */
async function refuse(tab: BrowserTab, engine: ConsentEngine, signal: AbortSignal): Promise<void> {
  await callInPage(tab, programs.openMessageQueue, [], signal);
  await callInPage(tab, `() => {${engine.script}\n}`, [], signal);
  let startMs = performance.now();
  let limitMs = DETECTION_LIMIT_MS;
  let hasRules = false;
  for (;;) {
    const remainingMs = startMs + limitMs - performance.now();
    if (remainingMs <= 0) return;
    for (const message of await callInPage<readonly EngineMessage[]>(
      tab,
      programs.nextMessages,
      [remainingMs],
      signal,
    )) {
      if (message.type === "popupFound") limitMs = LIMIT_MS;
      if (message.type === "autoconsentDone" || (message.type === "optOutResult" && !message.result)) return;
      const reply = await answer(tab, message, engine, signal);
      if (reply) await callInPage(tab, programs.reply, [reply], signal);
      if (message.type === "init" && !hasRules) {
        hasRules = true;
        startMs = performance.now();
      }
    }
  }
}

async function answer(
  tab: BrowserTab,
  { type, url = "", id, code = "" }: EngineMessage,
  engine: ConsentEngine,
  signal: AbortSignal,
): Promise<object | undefined> {
  if (type === "init") return engine.instructions(url);
  if (type !== "eval") return undefined;
  // Some managers can be called only in the page's own world.
  const { result, exceptionDetails } = await tab.session.send(
    "Runtime.evaluate",
    { expression: code, returnByValue: true, awaitPromise: true, timeout: DETECTION_LIMIT_MS },
    { signal },
  );
  return { type: "evalResp", id, result: exceptionDetails ? false : Boolean(result.value) };
}

/** Source of a regular expression for the subject of consent dialogs, in any of the languages below. */
export const CONSENT_SUBJECT =
  "cookie|kakor|informasjonskapsl|evästei|küpsis|sīkdat|slapuk|piškot|kolačić|çerez|куки|кук[иі]|файл\\S* cookie|бисквит|クッキー|쿠키|餅乾|คุกกี้|gdpr|ccpa|rgpd|dsgvo|tracking|privacy|privatsphäre|datenschutz|confidentialité|privacidad|consent";

/**
 * Complete labels of buttons that refuse, one line per language. Buttons that only open settings do not
 * refuse.
 */
const LABELS: readonly string[] = [
  // English
  "(?:i )?(?:reject|decline|deny|refuse|disallow)(?: (?:all|non-essential|optional|additional|unnecessary|them|it|all non-essential|all optional))?(?: cookies)?(?: and (?:close|continue))?|(?:i )?do not (?:accept|agree|consent|allow)|(?:use|accept|allow|only)? ?(?:only )?(?:strictly )?(?:necessary|essential|required)(?: cookies)?(?: only)?|no,? thanks?|no cookies|continue without (?:accepting|agreeing|consent)|(?:i )?disagree(?: (?:to all|and close))?|opt[- ]out",
  // German
  "(?:alle(?:s)? |cookies )?ablehnen|(?:nur|ausschließlich) (?:technisch )?(?:notwendige|erforderliche|essenzielle|nötige)(?: cookies)?(?: (?:akzeptieren|zulassen|erlauben|verwenden))?|alle cookies ablehnen|weiter ohne (?:zustimmung|einwilligung)|nicht (?:zustimmen|einverstanden)|nein,? danke",
  // French
  "(?:tout|tous les cookies|je) ?refuse[rz]?|refuser|refuser (?:tout|tous les cookies|et (?:continuer|fermer))|(?:tout )?rejeter|continuer sans accepter|(?:cookies|uniquement les cookies) (?:strictement )?nécessaires(?: uniquement)?|non,? merci",
  // Spanish
  "rechazar(?: (?:todo|todas|todas las cookies|cookies|y (?:continuar|cerrar)))?|no acept(?:o|ar)|denegar(?: (?:todo|todas))?|(?:solo|sólo|solamente|únicamente) (?:las )?(?:cookies )?(?:necesarias|esenciales)|continuar sin aceptar|no,? gracias",
  // Portuguese
  "(?:rejeitar|recusar)(?: (?:tudo|todos|todas|todos os cookies|cookies))?|não aceit(?:o|ar)|(?:apenas|somente|só) (?:os )?(?:cookies )?(?:necessários|essenciais)|continuar sem aceitar|não,? obrigado",
  // Italian
  "rifiut[ao](?:re)?(?: (?:tutto|tutti|tutti i cookie|e chiudi))?|nega(?: tutti)?|non accett[oa](?:re)?|(?:solo|usa solo) (?:i )?(?:cookie )?(?:necessari|essenziali|tecnici)|continua senza accettare|no,? grazie",
  // Dutch
  "(?:alles |alle cookies |cookies )?(?:weigeren|afwijzen)|(?:weiger|wijs)(?: alles?| alle cookies| cookies)?(?: af)?|(?:alleen|enkel) (?:strikt )?(?:noodzakelijke|functionele|essentiële)(?: cookies)?(?: (?:accepteren|toestaan))?|niet akkoord|nee,? (?:bedankt|dank je)|doorgaan zonder (?:te )?accepteren",
  // Danish, Norwegian, Swedish
  "(?:afvis|avvis|avvisa|neka|nekt|afslå|avslå|avböj)(?: (?:alle|alt|alla|cookies|alle cookies|alla cookies|alle informasjonskapsler|kakor|alla kakor))?|(?:kun|bare|endast|bara) (?:de )?(?:nødvendige|nödvändiga)(?: (?:cookies|kakor|informasjonskapsler))?|nej,? (?:tak|tack)|nei,? takk",
  // Finnish
  "(?:hylkää|kiellä|estä)(?: (?:kaikki|evästeet|kaikki evästeet))?|(?:salli |hyväksy )?vain (?:välttämättömät|pakolliset)(?: evästeet)?|en hyväksy|ei kiitos",
  // Estonian, Latvian, Lithuanian
  "keeldu(?:n|da)?(?: kõigist)?|ainult vajalikud(?: küpsised)?|noraid[īi]t(?: vis[aus]+)?|tikai nepieciešam[āa]s|atmesti(?: vis(?:us|ką))?|tik (?:būtini|būtinieji)(?: slapukai)?|nesutinku",
  // Polish
  "odrzuć(?: (?:wszystkie?|wszystko|pliki cookie|wszystkie (?:pliki )?cookies?))?|odmów|nie (?:zgadzam się|akceptuję|wyrażam zgody)|(?:tylko|akceptuj tylko) (?:niezbędne|konieczne)(?: (?:pliki )?cookies?)?|nie,? dziękuję",
  // Czech, Slovak
  "(?:odm[ií]tnout|odm(?:ie|í)tnuť|odmietam|odmítám)(?: (?:vše|všetko|všechny?|všetky|cookies|všechny cookies))?|zam(?:[ií]tnout|ietnuť)(?: (?:vše|všetko))?|(?:pouze|jen|iba|len) (?:nezbytn[éě]|nutn[éě]|nevyhnutn[éě])(?: cookies)?|nesouhlas[ií]m|nesúhlasím",
  // Hungarian, Romanian
  "(?:összes |mindent? )?elutasít(?:ása|om|ás)?(?: mindent)?|csak a (?:szükséges|feltétlenül szükséges)(?: sütik| cookie-k)?|resping(?:e|eți)?(?: (?:tot|toate|tot))?|refuz(?:ă|ați)?(?: (?:tot|toate))?|(?:doar|numai) (?:cele )?(?:necesare|esențiale)|nu,? mulțumesc",
  // Slovene, Croatian, Serbian, Bosnian
  "zavrni(?: vse| piškotke)?|odbij(?:te|am)?(?: sve| kolačiće| sve kolačiće)?|(?:samo|dopusti samo) (?:nujni|neophodni?|nužni|potrebni|obavezni)(?: (?:piškotki|kolačići?))?|не прихватам|одбиј(?: све)?",
  // Bulgarian, Russian, Ukrainian
  "отхвърл(?:и|ете|яне|ям)(?: (?:на )?всички)?|само необходими(?:те)?|отклонить(?: (?:все|всё))?|отказаться(?: от всех)?|не (?:принимаю|согласен|соглашаюсь)|(?:только|лише|тільки) (?:необходимые|обязательные|необхідні)(?: (?:файлы )?cookies?)?|відхилити(?: (?:все|усе|усі|всі))?|відмовитися|нет,? спасибо",
  // Greek, Turkish
  "απόρριψη(?: (?:όλων|όλων των cookies))?|απορρίπτω|δεν (?:αποδέχομαι|συμφωνώ)|μόνο (?:τα )?(?:απαραίτητα|αναγκαία)(?: cookies)?|(?:tümünü |hepsini |çerezleri )?reddet|reddediyorum|kabul etmiyorum|(?:yalnızca|sadece) (?:gerekli|zorunlu)(?: çerezler)?",
  // Japanese, Korean, Chinese
  "(?:すべて|全て)?(?:を)?拒否(?:する)?|すべて拒否|同意しない|必要な(?:もの|cookie|クッキー)のみ|(?:모두 )?거부(?:하기)?|동의하지 않(?:음|습니다)|필수 (?:쿠키)?만(?: 허용)?|(?:全部|一律)?拒(?:绝|絕)(?:所有|全部)?(?: ?cookies?)?|不同意|(?:仅|僅|只)(?:接受)?(?:必要|必需)(?:的)?(?: ?cookies?)?",
  // Arabic, Hebrew, Thai, Vietnamese, Indonesian
  "رفض(?: الكل| الجميع)?|لا أوافق|דח(?:ה|ייה|יית)(?: הכל)?|ปฏิเสธ(?:ทั้งหมด)?|từ chối(?: tất cả)?|tolak(?: semua)?|hanya yang diperlukan",
];

export const CONSENT_REFUSALS = LABELS.join("|");

/** Maximum frames checked. With more frames, they are adverts, not dialogs. */
const MAX_FRAMES = 10;

/** Refuses in a dialog that is a frame over the page. Returns whether there was one. */
async function refuseInFrame(
  tab: BrowserTab,
  words: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { frameTree } = await tab.session.send("Page.getFrameTree", undefined, { signal });
  for (const { frame } of (frameTree.childFrames ?? []).slice(0, MAX_FRAMES))
    if (await refusesIn(tab, frame, words, signal)) return true;
  return false;
}

async function refusesIn(
  tab: BrowserTab,
  { id }: Protocol.Page.Frame,
  words: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { backendNodeId } = await tab.session.send("DOM.getFrameOwner", { frameId: id }, { signal });
    const { object } = await tab.session.send("DOM.resolveNode", { backendNodeId }, { signal });
    const isOver = await callOnElement<boolean>(
      tab,
      object.objectId as ElementHandle,
      { source: liesOver },
      signal,
    );
    return (
      isOver &&
      (await callInFrame<boolean>(tab, { source: refuseDialog, frameId: id, args: [...words, true] }, signal))
    );
  } catch (failure) {
    // The frame has gone meanwhile, or lives in a separate process.
    if (failure instanceof CdpError || failure instanceof PageScriptError) return false;
    throw failure;
  }
}
