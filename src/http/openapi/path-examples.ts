import { limits } from "../../contract/limits.ts";
import { KEY_ID, SCRAPE_ID, SESSION_ID, TEAM_ID } from "./example-ids.ts";

/** A part of a path, by the path's beginning and its name. */
export const pathExamples: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map([
  ["/v2/scrape/ id", { type: "string", format: "uuid", examples: [SCRAPE_ID] }],
  ["/v2/browser/ id", { type: "string", format: "uuid", examples: [SESSION_ID] }],
  ["/v2/interact/ id", { type: "string", format: "uuid", examples: [SESSION_ID] }],
  ["/v2/files/ name", { type: "string", examples: [`${SCRAPE_ID}.png`] }],
  ["/v2/browser/profiles/ name", { type: "string", maxLength: limits.profileNameLength, examples: ["shop"] }],
  ["/admin/api/teams/ id", { type: "string", examples: [TEAM_ID] }],
  ["/admin/api/requests/ id", { type: "string", format: "uuid", examples: [SCRAPE_ID] }],
  ["/admin/api/requests/ n", { type: "integer", minimum: 1, examples: [1] }],
  ["/admin/api/sessions/ id", { type: "string", format: "uuid", examples: [SESSION_ID] }],
  ["/admin/preview/ id", { type: "string", format: "uuid", examples: [SCRAPE_ID] }],
  ["/admin/api/test/ part", { type: "string", enum: ["model", "proxies", "collector", "browser"] }],
  ["/admin/api/keys/ id", { type: "string", examples: [KEY_ID] }],
]);
