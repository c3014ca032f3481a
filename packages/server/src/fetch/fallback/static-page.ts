import {
  collectStaticEvidence,
  PLENTY_OF_TEXT,
  readRefresh,
  type StaticEvidence,
} from "@pergamon-dev/html/selection/static-evidence";
import type { Capture } from "../capture.ts";
import { type Blocked, judgeBlocked } from "./blocked.ts";

/** Whether the server's response is the page that people see. */
export interface StaticJudgement {
  readonly needsBrowser: boolean;
  /** Short name of the deciding rule. */
  readonly because: string;
  /**
   * True when the rule may well be wrong. The browser's result for the page then tells about the whole site.
   */
  readonly isGuess: boolean;
  /** Why it is not the page that was asked for. */
  readonly blocked?: Blocked;
  /** Whether an application mounts here, or loads, and nothing is there yet. */
  readonly isShell?: boolean;
  /** Whether a script of the page waits or works on, so that more may come. */
  readonly isPending?: boolean;
  /** Whether little is there but a form with a password. */
  readonly asksPassword?: boolean;
  /** Target of a page that only redirects its visitors. */
  readonly refreshUrl?: string;
}

interface Page {
  readonly capture: Capture;
  readonly evidence: StaticEvidence;
  readonly html: string;
  readonly blocked: Blocked | undefined;
}

interface Rule {
  readonly because: string;
  readonly needsBrowser: boolean;
  readonly isGuess?: boolean;
  readonly applies: (page: Page) => boolean;
}

const NEEDS_SCRIPTS =
  /(?:enable|requires?|turn on|activate|needs?|without)\s+(?:your\s+)?java\s?script|java\s?script\s+(?:is\s+|must be\s+)?(?:required|disabled|needed|enabled)|java\s?script\b.{0,60}(?:aktivieren|activer|activar|attivare|habilit|ativar|включ)|does(?:n.t| not) work.{0,40}without java\s?script/i;
const LEAVES =
  /(?:\b(?:window|document|top|self)\.)?\blocation(?:\.href)?\s*=\s*["'\x60]|\blocation\.(?:replace|assign|reload)\s*\(/;
const RENDERS =
  /\bfetch\(|XMLHttpRequest|innerHTML|appendChild|insertAdjacent|\.render\(|createRoot|hydrate|customElements\.define|\bimport\(|createApp/;
const WAITS = /\bset(?:Timeout|Interval)\s*\(|\bnew (?:Shared)?Worker\s*\(/;
const BLOCKED: ReadonlySet<number> = new Set([401, 403, 429, 503]);
/** Scripts do not change these. */
const WITHOUT_SCRIPTS: ReadonlySet<Blocked["kind"]> = new Set(["denied", "maintenance"]);
const SEARCHED_TEXT = 20_000;
/** Characters. A page with less has its content in its frames, if it has some of its own site. */
const FRAMED_TEXT = 100;
const FRAME =
  /<i?frame\s(?:[^>]{0,2000}\s)?src\s{0,9}=\s{0,9}["']?(?!https?:|\/\/|data:|about:|javascript:|["'\s>])/i;
/** Characters of a page that has a form and little else. */
const FORM_TEXT = 800;

/**
 * The first rule that applies decides. Measured on pages of 50 kinds, real articles, and shells of the common
 * frameworks.
 */
const RULES: readonly Rule[] = [
  {
    because: "challenge",
    needsBrowser: true,
    applies: ({ blocked }) => blocked !== undefined && !WITHOUT_SCRIPTS.has(blocked.kind),
  },
  {
    because: "plenty-of-text",
    needsBrowser: false,
    applies: ({ evidence }) => evidence.mainText >= PLENTY_OF_TEXT,
  },
  {
    because: "frames",
    needsBrowser: true,
    applies: ({ evidence, html }) =>
      evidence.mainText < FRAMED_TEXT && FRAME.test(html.slice(0, SEARCHED_TEXT)),
  },
  { because: "no-scripts", needsBrowser: false, applies: ({ evidence }) => evidence.scripts === 0 },
  {
    because: "blocked-status",
    needsBrowser: true,
    applies: ({ capture }) => BLOCKED.has(capture.statusCode),
  },
  {
    because: "script-leaves",
    needsBrowser: true,
    applies: ({ evidence }) => evidence.mainText < 400 && LEAVES.test(evidence.inlineScript),
  },
  {
    because: "empty-root",
    needsBrowser: true,
    applies: ({ evidence }) => evidence.emptyRoots > 0 && evidence.mainText < 1000,
  },
  {
    because: "loading-marker",
    needsBrowser: true,
    applies: ({ evidence }) => evidence.loadingMarkers > 0 && evidence.mainText < 600,
  },
  {
    because: "noscript-asks",
    needsBrowser: true,
    applies: ({ evidence }) => evidence.mainText < 600 && NEEDS_SCRIPTS.test(evidence.noscriptText),
  },
  {
    because: "text-asks",
    needsBrowser: true,
    applies: ({ evidence, html }) =>
      evidence.mainText < 400 && NEEDS_SCRIPTS.test(html.slice(0, SEARCHED_TEXT)),
  },
  {
    because: "empty-custom-element",
    needsBrowser: true,
    isGuess: true,
    applies: ({ evidence }) => evidence.emptyCustomElements > 0 && evidence.mainText < 400,
  },
  {
    because: "enough-text",
    needsBrowser: false,
    applies: ({ evidence }) => evidence.mainText >= 400 || evidence.items >= 25,
  },
  {
    because: "login-form",
    needsBrowser: false,
    applies: ({ evidence }) => evidence.hasPasswordField && evidence.mainText >= 20,
  },
  {
    because: "thin-and-rendering",
    needsBrowser: true,
    isGuess: true,
    applies: ({ evidence }) => RENDERS.test(evidence.inlineScript),
  },
  { because: "thin", needsBrowser: true, isGuess: true, applies: ({ evidence }) => evidence.mainText < 160 },
];

/** Rules → why a browser is needed. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["challenge", "the site checks its visitors first"],
  ["blocked-status", "the site refused the first request"],
  ["script-leaves", "a script of the page leads elsewhere"],
  ["empty-root", "the static page had no text"],
  ["loading-marker", "the static page was still loading"],
  ["noscript-asks", "the page asks for JavaScript"],
  ["text-asks", "the page asks for JavaScript"],
  ["empty", "the answer was empty"],
]);

/** Reason for needing a browser, in words. */
export function wordsOf(judgement: StaticJudgement | undefined): string {
  return WORDS.get(judgement?.because ?? "") ?? "the static page had little text";
}

/** Judges an HTML page by the bytes and headers alone. Of long pages it reads only the beginning. Pure. */
export function judgeStaticPage(capture: Capture): StaticJudgement {
  if (capture.body.byteLength === 0) {
    // An error, a redirect or a refusal may well be short.
    const isSuccess = capture.statusCode >= 200 && capture.statusCode < 300 && capture.statusCode !== 204;
    const refreshUrl = readRefresh(capture.headers["refresh"] ?? "");
    return {
      needsBrowser: isSuccess,
      because: "empty",
      isGuess: true,
      ...(refreshUrl !== undefined && { refreshUrl }),
    };
  }
  const { html, evidence } = readEnough(capture);
  const blocked = judgeBlocked({ capture, html, evidence });
  const rule = RULES.find(({ applies }) => applies({ capture, evidence, html, blocked }));
  const refreshUrl = evidence.refreshUrl ?? readRefresh(capture.headers["refresh"] ?? "");
  return {
    needsBrowser: rule?.needsBrowser ?? false,
    because: rule?.because ?? "short",
    isGuess: rule?.isGuess ?? false,
    ...(blocked && { blocked }),
    ...(evidence.hasPasswordField && evidence.mainText < FORM_TEXT && { asksPassword: true }),
    ...(isShell(evidence, html) && { isShell: true }),
    ...((evidence.loadingMarkers > 0 || WAITS.test(evidence.inlineScript)) && { isPending: true }),
    ...(refreshUrl !== undefined && evidence.mainText < 1000 && { refreshUrl }),
  };
}

/** Elements that show something without text. */
const MEDIA = /<(?:canvas|svg|video|audio|img|picture|iframe|object|embed|input|button|model-viewer)\b/i;

function isShell(evidence: StaticEvidence, html: string): boolean {
  const { mainText, emptyRoots, loadingMarkers, items, scripts } = evidence;
  const isEmpty = mainText < 20 && items === 0 && scripts > 0 && emptyRoots + loadingMarkers > 0;
  return isEmpty && !MEDIA.test(html);
}

/** Amount of visible text, up to the amount that is plenty. */
export function textOfPage(capture: Capture): number {
  return collectStaticEvidence(asText(capture)).mainText;
}

/**
 * Two of three labelled pages show plenty of text within this size. Within 32 KB one of four does, and the
 * others are read twice.
 */
const FIRST_BYTES = 120 * 1024;

/** The beginning of the page if it has plenty of text, else all of it. */
function readEnough(capture: Capture): Pick<Page, "html" | "evidence"> {
  const first = readUpTo(FIRST_BYTES, capture);
  const isEnough = capture.body.byteLength <= FIRST_BYTES || first.evidence.mainText >= PLENTY_OF_TEXT;
  return isEnough ? first : readUpTo(MAX_READ_BYTES, capture);
}

function readUpTo(limitBytes: number, capture: Capture): Pick<Page, "html" | "evidence"> {
  const html = asText(capture, limitBytes);
  return { html, evidence: collectStaticEvidence(html) };
}

/** Maximum bytes that are read to judge a page. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** Decodes one character per byte, which is enough to find tags and to tell much text from little. */
function asText({ body }: Capture, limitBytes = MAX_READ_BYTES): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, limitBytes));
  const isWide = bytes[1] === 0 || bytes[0] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe);
  return isWide ? bytes.toString("utf16le") : bytes.toString("latin1");
}
