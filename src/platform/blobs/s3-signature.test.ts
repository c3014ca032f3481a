import { AwsV4Signer } from "aws4fetch";
import { expect, test } from "vitest";

import { encodeForSignature, S3Signer, type UnsignedRequest } from "./s3-signature.ts";
import { parseS3Url } from "./s3-url.ts";

const address = parseS3Url(
  "s3://AKID:s%2Fec%2Bret@s3.eu-central-1.example:9000/bucket/folder?region=eu-central-1",
);
const DAY_MS = 86_400_000;
const startMs = Date.UTC(2026, 0, 31, 23, 59, 59);
const signer = new S3Signer(address);

/** Of the kept library, which signs by WebCrypto. */
async function expected({ method, path, query, headers, timeMs }: UnsignedRequest) {
  const signed = await new AwsV4Signer({
    method,
    url: `https://s3.eu-central-1.example:9000${path}?${query.join("&")}`,
    headers: { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
    accessKeyId: address.accessKeyId,
    secretAccessKey: address.secretAccessKey,
    region: address.region,
    service: "s3",
    datetime: new Date(timeMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
  }).sign();
  return Object.fromEntries(signed.headers);
}

function parameters(query: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(query).map(
    ([name, value]) => `${encodeForSignature(name)}=${encodeForSignature(value)}`,
  );
}

const requests: readonly Partial<UnsignedRequest>[] = [
  { method: "GET", path: "/bucket/folder/captures/1.blob" },
  { method: "PUT", headers: { "x-amz-server-side-encryption": "aws:kms" } },
  { method: "GET", headers: { range: "bytes=0-99" } },
  { method: "DELETE", path: `/bucket/${encodeForSignature("a b+c(1)!'*é")}` },
  { query: parameters({ "list-type": "2", prefix: "folder/a b/", "continuation-token": "1+2/=&!'()*~é" }) },
  { query: parameters({ "a-b": "1", a: "2", "a.b": "3" }) },
  { timeMs: startMs + 2000 },
  { timeMs: startMs + DAY_MS },
  { timeMs: startMs },
];

test.each(requests)("%j is signed as the kept library does", async (changes) => {
  const request = {
    method: "GET",
    host: "s3.eu-central-1.example:9000",
    path: "/bucket",
    query: [],
    headers: {},
    timeMs: startMs,
    ...changes,
  };
  expect(signer.sign(request)).toEqual(await expected(request));
});
