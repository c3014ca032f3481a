/**
 * Every coded failure with its HTTP status and its message (contract, sections 4.1 and 4.2). A thrower may
 * replace the message by a more specific one.
 */
export const errorCodes = {
  BAD_REQUEST: { status: 400, message: "Bad Request" },
  BAD_REQUEST_INVALID_JSON: { status: 400, message: "Bad request, malformed JSON" },
  insufficient_credits: { status: 402, message: "Insufficient credits to perform this request." },
  SCRAPE_ACTIONS_NOT_SUPPORTED: { status: 400, message: "No available engine can perform actions here." },
  SCRAPE_NO_CACHED_DATA: {
    status: 404,
    message:
      "No cached data is available for this URL that meets your specified age requirements. Scrape the page once without minAge to fill the cache.",
  },
  SCRAPE_LOCKDOWN_CACHE_MISS: {
    status: 404,
    message:
      "No cached data is available for this request in lockdown mode. Lockdown mode only serves previously cached responses and never makes outbound requests. Scrape the page once without lockdown, or raise maxAge.",
  },
  SCRAPE_ACTION_ERROR: { status: 500, message: "Action(s) failed to complete." },
  PROFILE_LOCKED: {
    status: 409,
    message:
      "Another session is currently writing to this profile. Only one writer is allowed at a time. You can still access it with saveChanges: false, or try again later.",
  },
  PROFILE_UNREADABLE: { status: 500, message: "The saved state of this profile cannot be read." },
  REPLAY_UNAVAILABLE: {
    status: 409,
    message: "Replay context is unavailable for this scrape job. Please rerun the scrape.",
  },
  REPLAY_FAILED: {
    status: 409,
    message:
      "Failed to initialize browser session from the original scrape context. Please rerun the scrape and try again.",
  },
  SESSION_DESTROYED: { status: 410, message: "Browser session has been destroyed." },
  SESSION_NOT_CREATED: { status: 502, message: "Failed to create browser session." },
  SESSION_NOT_ENDED: { status: 502, message: "The end of the browser session could not be confirmed." },
  CODE_NOT_RUN: { status: 502, message: "Failed to execute code in browser session." },
  AGENT_FAILED: { status: 502, message: "Browser agent failed to execute the task." },
  SESSIONS_FULL: { status: 503, message: "All browser sessions of this service are in use." },
  INTERACT_UNAVAILABLE: {
    status: 503,
    message: "Browser sessions of this service do not support this operation.",
  },
  SCRAPE_TIMEOUT: {
    status: 408,
    message: "The scrape operation timed out before completing. Raise timeout, or ask for less.",
  },
  unsafe_domain_blocked: {
    status: 403,
    message: "This URL is blocked by your organization's threat protection policy.",
  },
  UNSUPPORTED_SITE: {
    status: 403,
    message:
      "We apologize for the inconvenience but we do not support this site. The operator of this service has blocked it.",
  },
  SAFE_MODE_BLOCKED: { status: 403, message: "Safe mode does not allow this request." },
  CONCURRENCY_QUEUE_TIMEOUT: {
    status: 408,
    message:
      "The operation timed out while waiting for a concurrency slot to become available. Send fewer requests at once, or raise timeout.",
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
  thread_not_found: { status: 404, message: "Agent thread not found" },
  thread_busy: {
    status: 409,
    message: "A run of this agent thread is under way. Wait until it has ended, or cancel it.",
  },
  MODEL_MISSING: { status: 503, message: "This service has no language model." },
  MAP_TIMEOUT: {
    status: 408,
    message: "The map operation timed out before any page was found. Raise timeout, or map part of the site.",
  },
  MAP_FAILED: {
    status: 500,
    message:
      "Neither the page nor a sitemap of the site could be fetched. Check the URL and that the site is up.",
  },
  SCRAPE_DNS_RESOLUTION_ERROR: { status: 500, message: "DNS resolution failed." },
  SCRAPE_ALL_ENGINES_FAILED: {
    status: 500,
    message: "All scraping engines failed to retrieve content from this URL.",
  },
  SCRAPE_SSL_ERROR: {
    status: 500,
    message:
      "An SSL/TLS certificate error occurred while trying to establish a secure connection to this website.",
  },
  SCRAPE_SITE_ERROR: { status: 500, message: "The URL failed to load in the browser." },
  SCRAPE_PROXY_SELECTION_ERROR: {
    status: 500,
    message: "The specified proxy location could not be selected.",
  },
  SCRAPE_UNSUPPORTED_FILE_ERROR: {
    status: 500,
    message: "The URL returned a file type that Pergamon cannot process.",
  },
  SCRAPE_PDF_OCR_REQUIRED: {
    status: 500,
    message: "This PDF is scanned: it contains no text, so OCR is required.",
  },
  SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: {
    status: 500,
    message: "The PDF requires more processing time than your current timeout allows. Raise timeout.",
  },
  SCRAPE_PDF_ANTIBOT_ERROR: {
    status: 500,
    message:
      "PDF scrape was prevented by anti-bot measures: the URL of a PDF returned an HTML page instead. Try proxy: enhanced.",
  },
  SCRAPE_DOCUMENT_ANTIBOT_ERROR: {
    status: 500,
    message:
      "Document scrape was prevented by anti-bot measures: the URL of a document returned an HTML page instead. Try proxy: enhanced.",
  },
  SCRAPE_BRANDING_NOT_SUPPORTED: {
    status: 500,
    message:
      "The branding format requires a page rendered by a browser. Documents and stored pages have no branding. If this machine has no browser, pergamon doctor reports it.",
  },
  SCRAPE_AUDIO_UNSUPPORTED_URL: {
    status: 500,
    message: "The audio format does not support the provided URL",
  },
  SCRAPE_VIDEO_UNSUPPORTED_URL: {
    status: 500,
    message: "The video format does not support the provided URL",
  },
  SCRAPE_MEDIA_ACCESS_DENIED: {
    status: 403,
    message: "Access to the requested content was denied, so it cannot be retrieved.",
  },
  SCRAPE_ZDR_VIOLATION_ERROR: {
    status: 400,
    message: "A feature is not available when using Zero Data Retention (ZDR) mode.",
  },
  SCRAPE_JOB_CANCELLED: { status: 500, message: "The client disconnected before the scrape ended." },
  billing_unavailable: {
    status: 503,
    message: "Credits could not be charged, so the request was not executed. Try again in a few seconds.",
  },
  SCRAPE_PROMPT_INJECTION_DETECTED: {
    status: 403,
    message:
      "A prompt injection was detected in the page, so its content was not returned. Omit checkPromptInjection to get the content anyway.",
  },
  CODE_NOT_AVAILABLE: { status: 503, message: "This installation cannot run this code." },
  PARSE_UNSUPPORTED_OPTIONS: { status: 400, message: "Parse uploads do not support these options." },
  UNSUPPORTED_FILE_TYPE: { status: 400, message: "Unsupported upload type." },
  FORBIDDEN: { status: 403, message: "You may not do this." },
  PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: { status: 429, message: "Too many uploads are not parsed yet." },
  SEARCH_TIMEOUT: { status: 408, message: "The search timed out. Raise timeout, or ask for less." },
  SEARCH_FAILED: { status: 500, message: "No search engine answered." },
  NOT_IMPLEMENTED: { status: 501, message: "This is not served here, and will not be." },
  UNKNOWN_ERROR: { status: 500, message: "An unexpected error occurred." },
  OVERLOADED: { status: 503, message: "The service is stopping or overloaded. Try again in a few seconds." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCodes;

export const codedStatuses: readonly number[] = Object.values(errorCodes).map(({ status }) => status);
