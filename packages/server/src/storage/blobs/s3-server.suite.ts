import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const PROGRAM = "moto_server";
const START_LIMIT_MS = 60_000;

/** An S3 server that takes any key, in a process of its own. */
export interface S3Server {
  /** Of a new bucket. */
  url(): Promise<string>;
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The path of the server's program; undefined where it is not installed, which is reported. */
export function findS3Server(path = process.env["PATH"] ?? ""): string | undefined {
  const found = path.split(delimiter).map((folder) => join(folder, PROGRAM));
  const program = found.find((file) => isProgram(file));
  if (!program)
    console.warn(`${PROGRAM} is not installed (pip: moto[s3,server]): blobs in S3 are NOT tested.`);
  return program;
}

export async function startS3(program: string): Promise<S3Server> {
  const child = spawn(program, ["-H", "127.0.0.1", "-p", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new Error(`No S3 server: ${output}`)), START_LIMIT_MS);
    const look = (chunk: Buffer) => {
      output += String(chunk);
      const address = /Running on http:\/\/([\d.:]+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
  });
  let buckets = 0;
  return {
    endpoint,
    async url() {
      const bucket = `bucket-${(buckets += 1)}`;
      await fetch(`http://${endpoint}/${bucket}`, { method: "PUT", headers: asAnybody });
      return `s3://test-key:test%2Fsecret@${endpoint}/${bucket}`;
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The server reads no more of it than that there is one. */
const asAnybody = {
  authorization:
    "AWS4-HMAC-SHA256 Credential=k/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00",
};

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
