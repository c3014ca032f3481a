import { ServiceError } from "../../api/errors.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { secrets } from "@pergamon-dev/facts/redaction/secrets";

interface MaskedBody {
  readonly body: unknown;
  /** Paths of the secrets, such as `headers.authorization` or `actions[2].text`. */
  readonly masked: readonly string[];
}

/** Replaces a secret. */
const MASK = "***";

/** Headers that never identify the caller. All others might. */
const OPEN_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "dnt",
  "origin",
  "pragma",
  "referer",
  "user-agent",
]);

/** Names of members and query parameters with secret values. */
const SECRET_NAME =
  /(?:^|[_.-])(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|auth|authorization|cookie|session(?:id)?|credentials?|signature|sig|jwt|otp|pin|(?:api|access|private|auth|client)[_-]?key)$|(?:Token|Secret|Password|ApiKey|AccessKey|PrivateKey|Signature|SessionId)$|^apikey$/i;

interface Place {
  readonly path: string;
  readonly name: string;
  /** Name of the object or list that contains it. */
  readonly parent: string;
  /** Whether it is typed into a page. */
  readonly isTyped: boolean;
}

const ROOT: Place = { path: "", name: "", parent: "", isTyped: false };

/** Replaces possible secrets: values of headers, text typed into pages, and passwords and keys anywhere. */
export function maskBody(body: unknown): MaskedBody {
  const masked: string[] = [];
  const withoutSecrets = mapTexts(body, ROOT, (text, place) => {
    const shown = withoutSecret(text, place);
    if (shown !== text) masked.push(place.path);
    return shown;
  });
  return { body: withoutSecrets, masked };
}

/**
 * Removes data from a request that other keys of the team must not see: values of headers, text typed into
 * pages, and passwords. Addresses stay whole, because clients use them.
 */
export function toldToTeam<Body>(body: Body): Body {
  return mapTexts(body, ROOT, (text, place) => (isSecretPlace(text, place) ? MASK : text)) as Body;
}

/**
 * Restores the values that `toldToTeam` masked.
 * @param known the original of the masked body.
 * @throws ServiceError BAD_REQUEST for a mask without a value.
 */
export function untold<Body>(body: Body, known: unknown): Body {
  const values = new Map<string, string>();
  mapTexts(known, ROOT, (text, { path }) => {
    values.set(path, text);
    return text;
  });
  return mapTexts(body, ROOT, (text, place) => {
    if (text !== MASK || !isSecretPlace(text, place)) return text;
    const value = values.get(place.path);
    if (value !== undefined) return value;
    const message = `${place.path} is a mask instead of a value. Send the value: masks stand for it only where the address stays the same.`;
    throw new ServiceError("BAD_REQUEST", { message });
  }) as Body;
}

/** Replaces masks with values. Masks without a value stay. */
export function fillBody({ body, masked }: MaskedBody, values: Readonly<Record<string, string>>): unknown {
  const places = new Set(masked);
  return mapTexts(body, ROOT, (text, { path }) =>
    places.has(path) ? (ownProperty(values, path) ?? text) : text,
  );
}

/** Returns the places that still hold a mask instead of a value. */
export function missingSecrets(body: unknown, places: readonly string[]): readonly string[] {
  const missing: string[] = [];
  mapTexts(body, ROOT, (text, { path }) => {
    if (text.includes(MASK) && places.includes(path)) missing.push(path);
    return text;
  });
  return missing;
}

/** Address without passwords and keys. */
export function maskUrl(text: string): string {
  const withoutLogin = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${MASK}@`);
  return withoutLogin.replaceAll(/([?&#;])([^=&#;]+)=([^&#;]+)/g, (whole, sign: string, name: string) =>
    SECRET_NAME.test(name) || name === "key" ? `${sign}${name}=${MASK}` : whole,
  );
}

function isSecretPlace(text: string, { name, parent, isTyped }: Place): boolean {
  if (text === "") return false;
  if (parent === "headers") return !OPEN_HEADERS.has(name.toLowerCase());
  return isTyped || SECRET_NAME.test(name);
}

function withoutSecret(text: string, place: Place): string {
  if (isSecretPlace(text, place)) return MASK;
  if (place.parent === "headers") return text;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? maskUrl(text) : text;
  return secrets(address)
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + MASK + rest.slice(end), address);
}

function mapTexts(value: unknown, place: Place, change: (text: string, place: Place) => string): unknown {
  if (typeof value === "string") return change(value, place);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) =>
      mapTexts(entry, { ...place, path: `${place.path}[${index}]`, isTyped: false }, change),
    );
  }
  const isWriting = "type" in value && value.type === "write";
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]: readonly [string, unknown]) => {
      const inner = {
        path: join(place.path, name),
        name,
        parent: place.name,
        isTyped: isWriting && name === "text",
      };
      return [name, mapTexts(entry, inner, change)];
    }),
  );
}

function join(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
