import type { AlertsAnswer, AlertSettings } from "../../../src/contract/operator/alerts.ts";

/** The content of the form. Numbers as they are typed. */
export interface Draft {
  readonly parts: boolean;
  readonly errorRate: boolean;
  readonly percent: string;
  readonly windowMinutes: string;
  readonly minRequests: string;
  readonly credits: boolean;
  readonly below: string;
  /** Null removes it; undefined leaves it. */
  readonly url: string | null | undefined;
  readonly newSecret: boolean;
  readonly mail: string;
}

export interface DraftProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

export function draftOf({ rules, mail, version }: AlertsAnswer["data"]): Draft {
  const { parts, errorRate, credits } = rules;
  // Nothing was ever set: what most want.
  const isNew = version === "0";
  return {
    parts: parts || isNew,
    errorRate: errorRate !== null || isNew,
    percent: String(errorRate?.percent ?? 25),
    windowMinutes: String(errorRate?.windowMinutes ?? 15),
    minRequests: String(errorRate?.minRequests ?? 20),
    credits: credits !== null,
    below: String(credits?.below ?? 1000),
    url: undefined,
    newSecret: false,
    mail: mail.join("\n"),
  };
}

export function settingsOf(draft: Draft): AlertSettings {
  const { parts, errorRate, percent, windowMinutes, minRequests, credits, below, url, newSecret, mail } =
    draft;
  const rate = {
    percent: Number(percent),
    windowMinutes: Number(windowMinutes),
    minRequests: Number(minRequests),
  };
  return {
    rules: {
      parts,
      errorRate: errorRate ? rate : null,
      credits: credits ? { below: Number(below) } : null,
    },
    ...(url !== undefined && { webhook: url === null ? null : { url } }),
    rotateSecret: newSecret,
    mail: mail.split(/[\s,;]+/).filter(Boolean),
  };
}
