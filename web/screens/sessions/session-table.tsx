import { useState } from "preact/hooks";

import type { BrowserSession } from "../../../src/contract/operator/browser-sessions.ts";
import { plural } from "../../format/numbers.ts";
import { exactly, moment, span } from "../../format/times.ts";
import { TeamName } from "../../parts/names.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { SessionState, whyNot } from "./session-state.tsx";

interface SessionTableProps {
  readonly sessions: readonly BrowserSession[];
  /** Pictures are asked for again when it changes. */
  readonly round: number;
}

/** Sessions, newest first, each with what it shows. */
export function SessionTable({ sessions, round }: SessionTableProps) {
  return (
    <div class="scrolls">
      <table class="sessions">
        <thead>
          <tr>
            <th class="slim">
              <span class="unseen">Picture</span>
            </th>
            <th>Page</th>
            <th class="wide-only">Team</th>
            <th>State</th>
            <th class="num wide-only">Age</th>
            <th class="num wide-only">Cost</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} round={round} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SessionRow({ session, round }: { readonly session: BrowserSession; readonly round: number }) {
  const { id, url, teamId, createdAt, endedAt, credits } = session;
  const endMs = endedAt === null ? Date.now() : Date.parse(endedAt);
  return (
    <tr>
      <td>
        <Thumbnail session={session} round={round} />
      </td>
      <td class="fills">
        <a class="mono foreign" href={`/dashboard/sessions?id=${id}`} title={url ?? id}>
          {url === null ? "without a scrape" : shortUrl(url)}
        </a>
        <span class="faint">
          {[`since ${moment(createdAt)}`, whyNot(session)].filter(Boolean).join(", ")}
        </span>
      </td>
      <td class="wide-only dim team">
        <TeamName teamId={teamId} />
      </td>
      <td>
        <SessionState session={session} />
      </td>
      <td class="num wide-only one-line" title={exactly(createdAt)}>
        {span(endMs - Date.parse(createdAt))}
      </td>
      <td class="num wide-only">{credits === null ? "–" : plural(credits, "credit")}</td>
    </tr>
  );
}

/** What the page looks like; an empty frame for one that is over, or draws nothing. */
function Thumbnail({
  session: { id, isHere },
  round,
}: {
  readonly session: BrowserSession;
  readonly round: number;
}) {
  const [failed, setFailed] = useState<number | undefined>(undefined);
  return (
    <span class="thumbnail">
      {isHere && failed !== round && (
        <img
          src={`/admin/api/sessions/${id}/picture.jpg?round=${round}`}
          alt=""
          onError={() => setFailed(round)}
        />
      )}
    </span>
  );
}
