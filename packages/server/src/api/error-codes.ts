interface CodedError {
  readonly status: number;
  /** Cause, and often what to do. */
  readonly message: string;
  /** What to do, where the message does not say it. */
  readonly remedy?: string;
}

/**
 * Every coded failure with its HTTP status and its message (contract, sections 4.1 and 4.2). A thrower may
 * replace the message by a more specific one.
 */
export const errorCodes = {
  BAD_REQUEST: {
    status: 400,
    message: "Bad Request",
    remedy: "`details` names each wrong field; the shapes are at /docs.",
  },
  BAD_REQUEST_INVALID_JSON: {
    status: 400,
    message: "Bad request, malformed JSON",
    remedy: "Send JSON, quoted with double quotes.",
  },
  insufficient_credits: {
    status: 402,
    message: "Insufficient credits to perform this request.",
    remedy: "Add credits to the team.",
  },
  SCRAPE_ACTIONS_NOT_SUPPORTED: {
    status: 400,
    message: "No available engine can perform actions here.",
    remedy: "Actions require a browser. The set-up list on the overview says how to install one.",
  },
  SCRAPE_NO_CACHED_DATA: {
    status: 404,
    message:
      "No cached data is available for this URL that meets your specified age requirements. Scrape the page once without minAge to fill the cache.",
    remedy: "Replay the request. The replay fetches the page and fills the cache.",
  },
  SCRAPE_LOCKDOWN_CACHE_MISS: {
    status: 404,
    message:
      "No cached data is available for this request in lockdown mode. Lockdown mode only serves previously cached responses and never makes outbound requests. Scrape the page once without lockdown, or raise maxAge.",
    remedy: "Scrape the page once without `lockdown`.",
  },
  SCRAPE_ACTION_ERROR: {
    status: 500,
    message: "Action(s) failed to complete.",
    remedy:
      "Check a screenshot of the page, correct the selector, or wait for the element before the action. Then replay with changes.",
  },
  PROFILE_LOCKED: {
    status: 409,
    message:
      "Another session is currently writing to this profile. Only one writer is allowed at a time. You can still access it with saveChanges: false, or try again later.",
    remedy: "Wait until the other session ends, or replay with `saveChanges: false`.",
  },
  PROFILE_UNREADABLE: {
    status: 500,
    message: "The saved state of this profile cannot be read.",
    remedy: "Restore secret.key or the older SECRET_KEY, or delete the profile and save it again.",
  },
  REPLAY_UNAVAILABLE: {
    status: 409,
    message: "Replay context is unavailable for this scrape job. Please rerun the scrape.",
    remedy: "Scraped pages can be opened for 24 hours.",
  },
  REPLAY_FAILED: {
    status: 409,
    message:
      "Failed to initialize browser session from the original scrape context. Please rerun the scrape and try again.",
  },
  SESSION_DESTROYED: {
    status: 410,
    message: "Browser session has been destroyed.",
    remedy: "Start a new session.",
  },
  SESSION_NOT_CREATED: {
    status: 502,
    message: "Failed to create browser session.",
    remedy: "Try again; pergamon doctor says whether a browser starts.",
  },
  SESSION_NOT_ENDED: {
    status: 502,
    message: "The end of the browser session could not be confirmed.",
    remedy: "End it again. It also ends by itself, when its time is over.",
  },
  CODE_NOT_RUN: {
    status: 502,
    message: "Failed to execute code in browser session.",
    remedy: "Try again in a new session; the log has the reason.",
  },
  AGENT_FAILED: {
    status: 502,
    message: "Browser agent failed to execute the task.",
    remedy: "Say it in smaller steps; the log has the reason.",
  },
  SESSIONS_FULL: {
    status: 503,
    message: "All browser sessions of this service are in use.",
    remedy: "End a session, or raise INTERACT_SESSIONS.",
  },
  INTERACT_UNAVAILABLE: {
    status: 503,
    message: "Browser sessions of this service do not support this operation.",
    remedy: "pergamon doctor names what is missing.",
  },
  SCRAPE_TIMEOUT: {
    status: 408,
    message: "The scrape operation timed out before completing. Raise timeout, or ask for less.",
    remedy:
      "See where the time went. For a slow page, raise `timeout`. For a page that never becomes ready, lower `waitFor` or wait for a selector.",
  },
  unsafe_domain_blocked: {
    status: 403,
    message: "This URL is blocked by your organization's threat protection policy.",
    remedy: "If the page is safe, change the team's threat policy.",
  },
  UNSUPPORTED_SITE: {
    status: 403,
    message:
      "We apologize for the inconvenience but we do not support this site. The operator of this service has blocked it.",
    remedy: "The operator has blocked this site. To allow it, change BLOCKED_DOMAINS.",
  },
  SAFE_MODE_BLOCKED: {
    status: 403,
    message: "Safe mode does not allow this request.",
    remedy: "Omit `safeMode` if the owner of the site agrees, or scrape another page.",
  },
  CONCURRENCY_QUEUE_TIMEOUT: {
    status: 408,
    message:
      "The operation timed out while waiting for a concurrency slot to become available. Send fewer requests at once, or raise timeout.",
    remedy: "Raise the team's concurrency, or send fewer requests at once.",
  },
  THIRD_PARTY_DATA_TERMS_REQUIRED: {
    status: 403,
    message: "Provider tools are not enabled for this team. The operator of this service can enable them.",
  },
  duplicate_request: {
    status: 409,
    message: "This x-request-id already belongs to a different provider request. Choose a new one.",
  },
  request_in_flight: {
    status: 409,
    message: "The request with this x-request-id is still being processed. Send it again in a moment.",
  },
  request_unresolved: {
    status: 503,
    message:
      "The outcome of this provider request is unknown. Retry with the same x-request-id, never with a new one.",
  },
  deadline_exceeded: {
    status: 504,
    message: "The request timed out before a provider was called. No provider was executed. Raise timeout.",
  },
  terms_changed: {
    status: 409,
    message: "The terms have changed. Read the current terms, then accept them.",
  },
  provider_unavailable: {
    status: 503,
    message: "Provider request unavailable. Retry with the same x-request-id.",
  },
  unknown_provider: {
    status: 404,
    message: "Unknown provider. No provider was executed. List the available tools with find-tools.",
  },
  thread_not_found: {
    status: 404,
    message: "Agent thread not found",
    remedy: "Start a run without threadId; threads of deleted runs are gone.",
  },
  thread_busy: {
    status: 409,
    message: "A run of this agent thread is under way. Wait until it has ended, or cancel it.",
  },
  MODEL_MISSING: {
    status: 503,
    message: "This service has no language model.",
    remedy: "The operator sets LLM_BASE_URL and LLM_MODEL.",
  },
  MAP_TIMEOUT: {
    status: 408,
    message: "The map operation timed out before any page was found. Raise timeout, or map part of the site.",
  },
  MAP_FAILED: {
    status: 500,
    message:
      "Neither the page nor a sitemap of the site could be fetched. Check the URL and that the site is up.",
  },
  SCRAPE_DNS_RESOLUTION_ERROR: {
    status: 500,
    message: "DNS resolution failed.",
    remedy: "Check the spelling of the host name, and the name servers in the set-up list.",
  },
  SCRAPE_ALL_ENGINES_FAILED: {
    status: 500,
    message: "All scraping engines failed to retrieve content from this URL.",
    remedy:
      "Replay with `proxy: enhanced`. A private address needs EGRESS_ALLOW; a page with scripts needs a browser, which the set-up list reports.",
  },
  SCRAPE_SSL_ERROR: {
    status: 500,
    message:
      "An SSL/TLS certificate error occurred while trying to establish a secure connection to this website.",
    remedy:
      "The TLS certificate of the site is invalid. If that is expected, replay with `skipTlsVerification: true`.",
  },
  SCRAPE_SITE_ERROR: {
    status: 500,
    message: "The URL failed to load in the browser.",
    remedy: "Open the page in a browser. If it works there, replay with `proxy: enhanced`.",
  },
  SCRAPE_PROXY_SELECTION_ERROR: {
    status: 500,
    message: "The specified proxy location could not be selected.",
    remedy: "Use a country that PROXIES covers, or omit `location.country`.",
  },
  SCRAPE_UNSUPPORTED_FILE_ERROR: {
    status: 500,
    message: "The URL returned a file type that Pergamon cannot process.",
    remedy: "Request only `rawBase64`, which returns any file unchanged.",
  },
  SCRAPE_PDF_OCR_REQUIRED: {
    status: 500,
    message: "This PDF is scanned: it contains no text, so OCR is required.",
    remedy: "Text in images requires tesseract. The set-up list on the overview says how to install it.",
  },
  SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: {
    status: 500,
    message: "The PDF requires more processing time than your current timeout allows. Raise timeout.",
    remedy: "Replay with a higher `timeout`, or a lower `maxPages`.",
  },
  SCRAPE_PDF_ANTIBOT_ERROR: {
    status: 500,
    message:
      "PDF scrape was prevented by anti-bot measures: the URL of a PDF returned an HTML page instead. Try proxy: enhanced.",
    remedy: "Replay with `proxy: enhanced`, or scrape the page that links to the document first.",
  },
  SCRAPE_DOCUMENT_ANTIBOT_ERROR: {
    status: 500,
    message:
      "Document scrape was prevented by anti-bot measures: the URL of a document returned an HTML page instead. Try proxy: enhanced.",
    remedy: "Replay with `proxy: enhanced`, or scrape the page that links to the document first.",
  },
  SCRAPE_BRANDING_NOT_SUPPORTED: {
    status: 500,
    message:
      "The branding format requires a page rendered by a browser. Documents and stored pages have no branding. If this machine has no browser, pergamon doctor reports it.",
  },
  SCRAPE_AUDIO_UNSUPPORTED_URL: {
    status: 500,
    message: "The audio format does not support the provided URL",
    remedy: "Give the address of a page with a player, or of a media file.",
  },
  SCRAPE_VIDEO_UNSUPPORTED_URL: {
    status: 500,
    message: "The video format does not support the provided URL",
    remedy: "Give the address of a page with a player, or of a media file.",
  },
  SCRAPE_MEDIA_ACCESS_DENIED: {
    status: 403,
    message: "Access to the requested content was denied, so it cannot be retrieved.",
    remedy: "Replay with the `headers` of a login, or choose another video.",
  },
  SCRAPE_ZDR_VIOLATION_ERROR: {
    status: 400,
    message: "A feature is not available when using Zero Data Retention (ZDR) mode.",
    remedy: "Omit the feature, or zeroDataRetention.",
  },
  SCRAPE_JOB_CANCELLED: {
    status: 500,
    message: "The client disconnected before the scrape ended.",
    remedy: "The client disconnected, or its key was revoked. Replay to see the response.",
  },
  billing_unavailable: {
    status: 503,
    message: "Credits could not be charged, so the request was not executed. Try again in a few seconds.",
  },
  SCRAPE_PROMPT_INJECTION_DETECTED: {
    status: 403,
    message:
      "A prompt injection was detected in the page, so its content was not returned. Omit checkPromptInjection to get the content anyway.",
    remedy: "Read the page yourself. If it is harmless, replay without `checkPromptInjection`.",
  },
  CODE_NOT_AVAILABLE: {
    status: 503,
    message: "This installation cannot run this code.",
    remedy: "The operator sets INTERACT_CODE; pergamon doctor names what is missing.",
  },
  PARSE_UNSUPPORTED_OPTIONS: {
    status: 400,
    message: "Parse uploads do not support these options.",
    remedy: "Omit the options that need a page: `details` names them.",
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 400,
    message: "Unsupported upload type.",
    remedy: "GET /v2/parse/formats lists what can be read.",
  },
  FORBIDDEN: {
    status: 403,
    message: "You may not do this.",
    remedy: "Use a key without this restriction, or ask the operator.",
  },
  PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: {
    status: 429,
    message: "Too many uploads are not parsed yet.",
    remedy: "Parse an upload, or wait; MAX_UNPARSED_UPLOADS is the limit.",
  },
  SEARCH_TIMEOUT: { status: 408, message: "The search timed out. Raise timeout, or ask for less." },
  SEARCH_FAILED: {
    status: 500,
    message: "No search engine answered.",
    remedy: "Try again; pergamon doctor asks the search engines.",
  },
  NOT_IMPLEMENTED: {
    status: 501,
    message: "This is not served here, and will not be.",
    remedy: "The documentation of the operation names an alternative.",
  },
  UNKNOWN_ERROR: {
    status: 500,
    message: "An unexpected error occurred.",
    remedy: "Search the log of the service for the id of the request.",
  },
  OVERLOADED: {
    status: 503,
    message: "The service is stopping or overloaded. Try again in a few seconds.",
    remedy:
      "Replay later. If it happens often, this machine is too small for SCRAPE_CONCURRENCY and BROWSER_TABS.",
  },
} as const satisfies Record<string, CodedError>;

export type ErrorCode = keyof typeof errorCodes;

/** The table as a list, for those who print it. */
export const allErrors: readonly (CodedError & { readonly code: string })[] = Object.entries(errorCodes).map(
  ([code, entry]) => ({
    code,
    ...entry,
  }),
);

export const codedStatuses: readonly number[] = allErrors.map(({ status }) => status);
