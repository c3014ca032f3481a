import tls from "node:tls";

/** Certificates of authorities that the operator trusts besides the usual ones. */
interface TrustedCertificates {
  /** Absolute path of the file that they are in. */
  readonly path: string;
  /** As PEM, one each. */
  readonly certificates: readonly string[];
}

interface Trusting {
  addCACert(pem: string): void;
}

/**
 * Makes every TLS connection of this process trust further authorities, except those that are given authorities of
 * their own. Call it before the first connection.
 */
export function trustCertificates({ path, certificates }: TrustedCertificates): void {
  // The native client of pages reads this file with its first request, besides the authorities that it brings.
  process.env["SSL_CERT_FILE"] = path;
  // Node reads NODE_EXTRA_CA_CERTS before a program can set it, and the oldest supported version has no other way
  // than this one, which takes 2 ms of a connection. A list of all authorities takes 17 ms.
  const { createSecureContext } = tls;
  const createTrusting = (options?: tls.SecureContextOptions) => {
    const made = createSecureContext(options);
    if (options?.ca === undefined) for (const one of certificates) (made.context as Trusting).addCACert(one);
    return made;
  };
  Object.assign(tls, { createSecureContext: createTrusting });
}
