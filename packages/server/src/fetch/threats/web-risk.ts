import { parseForeignJson } from "@pergamon-dev/kit/foreign/parse-json";
import { z } from "zod";

import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { HttpClient } from "../../net/client.ts";
import type { ThreatClassifier } from "./classifier.ts";

/** Lists that are queried. Source: the public interface of Google Web Risk, method uris.search. */
const THREAT_TYPES = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];
const MAX_ANSWER_BYTES = 64 * 1024;
const TIME_LIMIT_MS = 5000;

const Answer = z.object({ threat: z.object({ threatTypes: z.array(z.string()) }).optional() });

/**
 * Asks Google Web Risk, or a service with the same interface at `baseUrl`. A URL on a list has score 100,
 * else 0.
 */
export function webRiskClassifier(
  client: HttpClient,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
): ThreatClassifier {
  return {
    isLocal: false,
    async score(url, signal) {
      const question = new URL("/v1/uris:search", baseUrl);
      for (const type of THREAT_TYPES) question.searchParams.append("threatTypes", type);
      question.searchParams.set("uri", withoutCredentials(url));
      const { status, body } = await client.request(
        {
          url: question,
          headers: [
            ["x-goog-api-key", apiKey],
            ["accept", "application/json"],
          ],
          skipTlsVerification: false,
          profile: "basic",
          maxBodyBytes: MAX_ANSWER_BYTES,
        },
        AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
      );
      if (status !== 200) throw new Error(`The threat classifier answered ${status}.`);
      const { threat } = Answer.parse(parseForeignJson(Buffer.from(body).toString("utf8")));
      return threat && threat.threatTypes.length > 0 ? 100 : 0;
    },
  };
}
