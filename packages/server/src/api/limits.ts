import { MAX_FOUND_URL_LENGTH, MAX_URL_LENGTH } from "@pergamon-dev/kit/address";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Every number of the interface, with its unit. Sources: interface document section 8, contract section 1.
 */
export const limits = {
  timeoutMs: { minimum: 1000, maximum: 300_000, default: 60_000 },
  /** 2 days. */
  maxAgeMs: 172_800_000,
  /** 2 years of 365 days. */
  lockdownMaxAgeMs: 63_072_000_000,
  waitForMs: 60_000,
  /** waitFor, wait actions, and one second per selector wait, together. */
  totalWaitMs: 60_000,
  selectorWaitMs: 1000,
  /** Actual limit of a wait for an element. */
  selectorWaitLimitMs: 30_000,
  actions: 50,
  /**
   * Maximum entries of formats, of parsers and of languages, more than there are kinds. Longer lists are
   * rejected unread.
   */
  formats: 50,
  parsers: 20,
  languages: 100,
  urlLength: MAX_URL_LENGTH,
  foundUrlLength: MAX_FOUND_URL_LENGTH,
  /** Request bodies, after content decoding. */
  bodyBytes: 10 * 1024 * 1024,
  /** Bodies of target pages and files, after content decoding. */
  pageBytes: 50 * 1024 * 1024,
  redirects: 20,
  maxPages: 10_000,
  promptLength: 10_000,
  /**
   * Maximum length of one selector of an action or of attributes, and of the name of an attribute or of a
   * key.
   */
  selectorLength: 10_000,
  scriptLength: 1_000_000,
  typedTextLength: 100_000,
  profileNameLength: 128,
  /** Maximum length of `origin`, a free label without effect. */
  originLength: 1000,
  screenshotWidth: 7680,
  screenshotHeight: 4320,
  /** Maximum entries of includeTags and of excludeTags, and maximum length of one entry. */
  selectors: { count: 200, length: 500 },
  providerCalls: 10,
  providerNameLength: 200,
  providerOptionsBytes: 256 * 1024,
  providerTimeoutMs: 50_000,
  interact: {
    codeLength: 100_000,
    timeoutSeconds: { minimum: 1, maximum: 300, default: 30 },
    lifeSeconds: { minimum: 30, maximum: 3600, default: 600 },
    idleSeconds: { minimum: 10, maximum: 3600, default: 300 },
  },
  /** Maximum size of one media file, with everything fetched for it. It is held in memory. */
  mediaBytes: 256 * 1024 * 1024,
  /** Time limit of a program that processes a media file, within the time of the scrape. */
  mediaProgramMs: 240_000,
  /** How long data is kept, where neither the operator nor a request chooses. */
  keptMs: {
    /** Documents of scrapes by their ids, and what a replay needs. */
    answers: DAY_MS,
    /** Screenshots and other linked files. */
    files: DAY_MS,
    media: HOUR_MS,
    /** Ids of jobs whose documents are gone. */
    jobIds: 7 * DAY_MS,
    /** They can be repeated (contract, section 3.30). */
    providerRequests: 7 * DAY_MS,
    records: 30 * DAY_MS,
    /** Notes may name people, so they are not kept forever. */
    feedback: 365 * DAY_MS,
    modelTokens: 731 * DAY_MS,
  },
} as const;
