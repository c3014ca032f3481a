import { AwsV4Signer } from "aws4fetch";
import { expect, test } from "vitest";

import { encodeForSignature, signedHeaders, type UnsignedRequest } from "./s3-requests.ts";
import { parseS3Url } from "./s3-url.ts";

const address = parseS3Url(
  "s3://AKID:s%2Fec%2Bret@s3.eu-central-1.example:9000/bucket/folder?region=eu-central-1",
);
const DAY_MS = 86_400_000;
const startMs = Date.UTC(2026, 0, 31, 23, 59, 59);

const HOST = "s3.eu-central-1.example:9000";

/** By another library, which signs by WebCrypto. */
async function expected({ method, path, headers, timeMs }: UnsignedRequest) {
  const signed = await new AwsV4Signer({
    method,
    url: `https://${HOST}${path}`,
    headers: { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
    accessKeyId: address.accessKeyId,
    secretAccessKey: address.secretAccessKey,
    region: address.region,
    service: "s3",
    datetime: new Date(timeMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
  }).sign();
  return Object.fromEntries(signed.headers);
}

function listing(query: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(query).map((pair) => pair.map(encodeForSignature).join("="));
  return `/bucket?${parameters.join("&")}`;
}

const requests: readonly Partial<UnsignedRequest>[] = [
  { method: "GET", path: "/bucket/folder/captures/1.blob" },
  { method: "PUT", headers: { "x-amz-server-side-encryption": "aws:kms" } },
  { method: "GET", headers: { range: "bytes=0-99" } },
  { method: "DELETE", path: `/bucket/${encodeForSignature("a b+c(1)!'*é")}` },
  { path: listing({ "list-type": "2", prefix: "folder/a b/", "continuation-token": "1+2/=&!'()*~é" }) },
  { path: listing({ "a-b": "1", a: "2", "a.b": "3" }) },
  { timeMs: startMs + 2000 },
  { timeMs: startMs + DAY_MS },
  { timeMs: startMs },
];

test.each(requests)("%j is signed as another library does", async (changes) => {
  const request = { method: "GET", host: HOST, path: "/bucket", headers: {}, timeMs: startMs, ...changes };
  expect(signedHeaders(request, address)).toEqual(await expected(request));
});
