import { describe, expect, test } from "vitest";

import type { ReaderMeans } from "../../sandbox/readers/reader-means.ts";
import { describeReaders } from "./sandboxes.ts";

const NOTHING: ReaderMeans = {
  account: undefined,
  within: undefined,
  maker: undefined,
  shell: "/bin/sh",
  setpriv: undefined,
  withoutAccount: "the service is not root",
  withoutBox: "bwrap is not installed",
};
const READER = { uid: 65_533, gid: 65_533 };

describe("what is said of programs that read hostile files", () => {
  test("in boxes", () => {
    expect(describeReaders({ ...NOTHING, within: "box", account: READER, withoutBox: undefined })).toEqual({
      status: "found",
      detail: "in sandboxes by bubblewrap, as user 65533, which no other program uses",
    });
  });

  test("with nothing but a user of their own they reach the network, and what everybody may read", () => {
    expect(describeReaders({ ...NOTHING, account: READER, withoutAccount: undefined })).toEqual({
      status: "missing",
      detail: "as user 65533, which no other program uses, without a sandbox: bwrap is not installed",
      cost: "A file that exploits its reader can access everything that all users of this machine can read and the network of this machine.",
      remedy: "Install bubblewrap (Debian: apt install bubblewrap).",
    });
    const withoutNetwork = describeReaders({ ...NOTHING, account: READER, within: "namespaces" });
    expect(withoutNetwork.detail).toContain("without network");
    expect(withoutNetwork.cost).not.toContain("the network");
  });

  test("with neither they share the account of the service", () => {
    expect(describeReaders(NOTHING)).toMatchObject({
      status: "missing",
      detail:
        "as the user of the service, without a sandbox: bwrap is not installed; the service is not root",
      cost: expect.stringContaining("read everything that the service can read") as string,
      remedy: expect.stringContaining("or run the service as root") as string,
    });
    const forbidden = {
      ...NOTHING,
      withoutBox: "bwrap: Creating new namespace failed: Operation not permitted",
    };
    expect(describeReaders(forbidden).remedy).toContain("Allow user namespaces");
  });
});
