export interface S3Address {
  /** URL of the bucket, without a slash at its end. */
  readonly bucketUrl: string;
  /** Prefix of all object names: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Server-side encryption to request. Undefined leaves the default of the bucket. */
  readonly encryption: string | undefined;
}

const PARAMETERS: ReadonlySet<string> = new Set(["region", "tls", "encryption"]);
const DEFAULT_REGION = "us-east-1";
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;

/**
 * Reads `s3://KEY_ID:SECRET@endpoint:port/bucket/folder`, optionally with `?region=`, `?encryption=AES256` or
 * `?tls=off`.
 * @throws Error that does not contain the URL, which holds a secret.
 */
export function parseS3Url(url: string): S3Address {
  const { hostname, host, username, password, pathname, searchParams } = parse(url);
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) {
    throw new Error(`An S3 URL may have the parameters ${[...PARAMETERS].join(", ")}, not ${unknown}`);
  }
  if (host === "" || username === "" || password === "") {
    throw new Error('An S3 URL needs a key and an endpoint: "s3://KEY_ID:SECRET@endpoint/bucket"');
  }
  const [bucket = "", ...folders] = pathname.slice(1).replace(/\/$/, "").split("/");
  const prefix = folders.map((folder) => `${folder}/`).join("");
  if (!BUCKET.test(bucket) || !PREFIX.test(prefix)) {
    throw new Error(
      'An S3 URL needs a bucket, and may have a folder: "s3://KEY_ID:SECRET@endpoint/bucket/folder"',
    );
  }
  return {
    bucketUrl: `${schemeFor(hostname, searchParams.get("tls"))}://${host}/${bucket}`,
    prefix,
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get("region") ?? DEFAULT_REGION,
    encryption: searchParams.get("encryption") ?? undefined,
  };
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Error(
      'is not a valid S3 URL, such as "s3://KEY_ID:SECRET@endpoint/bucket". Write / in a secret as %2F',
    );
  }
}

/** Only connections to this machine go without TLS, unless the URL says so. */
function schemeFor(hostname: string, tls: string | null): "http" | "https" {
  if (tls === "off") return "http";
  if (tls !== null && tls !== "on") throw new Error("The parameter tls of an S3 URL must be on or off");
  return tls === null && LOOPBACK.test(hostname) ? "http" : "https";
}
