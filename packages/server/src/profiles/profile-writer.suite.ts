import { openBlobs } from "../storage/blobs/drivers.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import { openProfiles } from "./profiles.ts";

const [, , folder = "", name = ""] = process.argv;

/** A process of its own that writes to a profile. It says so, and waits for its end. */
const profiles = openProfiles({
  database: await openDatabase(`sqlite:${folder}/test.db`),
  blobs: await openBlobs(`file:${folder}/blobs`),
  secrets: await openSecrets({ keys: [], keyFile: `${folder}/secret.key` }),
});
await profiles.openWriter({ teamId: "default", name });
process.stdout.write("writing\n");
await new Promise((resolve) => setTimeout(resolve, 30_000));
