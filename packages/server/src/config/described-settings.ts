import { z } from "zod";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { parts } from "./all.ts";
import type { Environment } from "./part.ts";

export interface DescribedSetting {
  readonly name: string;
  /** Title of its part. */
  readonly part: string;
  /** Null for missing settings and for secrets. */
  readonly value: string | null;
  readonly isSet: boolean;
  readonly isSecret: boolean;
  /** Source of the value; `file` is `.env`. */
  readonly origin: "default" | "file" | "environment" | "dashboard";
  /** Default value; null for none. */
  readonly usual: string | null;
  /** What it may be, such as `1 to 64`; null for text with a form of its own. */
  readonly allowed: string | null;
  readonly help: string;
}

/** Settings with their sources. */
export interface GivenSettings {
  readonly environment: Environment;
  readonly fromFile: ReadonlySet<string>;
  /** Settings from the dashboard. They apply where no other source sets a value. */
  readonly stored?: Environment;
}

/** Texts from `describe` and `meta` of a setting. */
const Words = z.object({ description: z.string(), unset: z.string().optional() });

/** Settings that hold keys, or may hold them. */
const SECRET =
  /KEY|SECRET|PASSWORD|TOKEN(?!S)|^(?:PROXIES|OUTBOUND_PROXY|LLM_HEADERS|LLM_FALLBACKS|BROWSER_URLS|ALERT_WEBHOOK_URL)$/;

/** Lists every setting, in the order of the table in docs/settings.md, without the values of secrets. */
export function describeSettings({
  environment,
  fromFile,
  stored = {},
}: GivenSettings): readonly DescribedSetting[] {
  return Object.values(parts).flatMap(({ title, settings }) =>
    Object.entries<z.ZodType>(settings.shape).map(([name, setting]) => {
      const { description, unset = usualOf(setting) } = Words.parse(setting.meta());
      const given = ownProperty(environment, name);
      const own = given?.trim() === "" ? undefined : given;
      const value = own ?? ownProperty(stored, name);
      const isSecret = SECRET.test(name);
      const ownOrigin = fromFile.has(name) ? "file" : "environment";
      const origin = own === undefined ? "dashboard" : ownOrigin;
      return {
        name,
        part: title,
        value: shownValue(name, value),
        isSet: value !== undefined,
        isSecret,
        origin: value === undefined ? "default" : origin,
        usual: unset,
        allowed: allowedOf(setting),
        help: description,
      };
    }),
  );
}

function usualOf(setting: z.ZodType): string | null {
  const value = setting instanceof z.ZodDefault ? setting.def.defaultValue : [];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

const Kind = z.object({ allowed: z.string() });

function allowedOf(setting: z.ZodType): string | null {
  const inner =
    setting instanceof z.ZodDefault || setting instanceof z.ZodOptional ? setting.unwrap() : setting;
  if (inner instanceof z.ZodEnum) return inner.options.join(", ");
  return inner instanceof z.ZodType ? (Kind.safeParse(inner.meta()).data?.allowed ?? null) : null;
}

/** Returns a value for display; null for secrets. */
export function shownValue(name: string, value: string | undefined): string | null {
  return value === undefined || SECRET.test(name) ? null : withoutLogin(value);
}

/** Addresses of services may contain a login. */
function withoutLogin(value: string): string {
  return value
    .replaceAll(/:\/\/[^/?#@\s]*@/g, "://***@")
    .replaceAll(/([?&][^=&\s]*(?:key|token|secret|password|sig)[^=&\s]*=)[^&\s]+/gi, "$1***");
}
