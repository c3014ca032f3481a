import { text } from "node:stream/consumers";

import { LABELLED_SETS } from "../quality/page-data/labelled-sets.ts";
import { noteBySite } from "./by-site.ts";

/** `… | note-by-site.ts product`: writes down what the cross-validation of a set has printed, and prints it again. */
const [name = ""] = process.argv.slice(2);
const set = LABELLED_SETS[name];
if (!set) throw new Error(`Use one of: ${Object.keys(LABELLED_SETS).join(", ")}.`);
const printed = await text(process.stdin);
process.stdout.write(printed);
noteBySite(set.read(printed));
