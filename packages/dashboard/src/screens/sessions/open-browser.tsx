import { useState } from "preact/hooks";

import { messageOf } from "../../client/ask.ts";
import { session } from "../../client/session.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledText } from "../../parts/dialog-form.tsx";
import { Notice } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { post, routeOfPosts } from "../../client/post.ts";

/** What a program or a person needs to use a browser that was opened. */
interface Opened {
  readonly id: string;
  readonly cdpUrl: string;
  readonly liveViewUrl: string;
  readonly interactiveLiveViewUrl: string;
}

interface OpenBrowserProps {
  /** The team whose sessions are listed; empty for all. */
  readonly teamId: string;
  readonly onOpened: () => void;
}

/** Opens a browser for a team, and gives its links. */
export function OpenBrowser({ teamId, onOpened }: OpenBrowserProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActButton route={routeOfPosts()} class="btn primary" onClick={() => setOpen(true)}>
        Open a browser
      </ActButton>
      {isOpen && <OpenDialog teamId={teamId} onOpened={onOpened} onClose={() => setOpen(false)} />}
    </>
  );
}

function OpenDialog({
  teamId: first,
  onOpened,
  onClose,
}: OpenBrowserProps & { readonly onClose: () => void }) {
  const [teamId, setTeamId] = useState(first === "" ? (session.value?.defaultTeamId ?? "default") : first);
  const [url, setUrl] = useState("");
  const [profile, setProfile] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  async function open(): Promise<void> {
    const body = profile === "" ? {} : { profile: { name: profile } };
    const made = (await goodAnswer("/v2/interact", body, teamId)) as unknown as Opened;
    setOpened(made);
    onOpened();
    const code = `await page.goto(${JSON.stringify(url)})`;
    if (url === "") return;
    await goodAnswer(`/v2/interact/${made.id}/execute`, { code }, teamId).catch((failure: unknown) =>
      setProblem(messageOf(failure)),
    );
  }
  if (opened)
    return (
      <Dialog title="The browser is open" onClose={onClose}>
        <OpenedLinks opened={opened} problem={problem} />
      </Dialog>
    );
  return (
    <Dialog title="Open a browser" onClose={onClose}>
      <DialogForm verb="Open" route={routeOfPosts()} onSubmit={open} onClose={onClose}>
        <TeamChoice value={teamId} onChange={setTeamId} />
        <LabelledText
          id="first-page"
          label="First page"
          hint="https://example.com"
          value={url}
          onChange={setUrl}
        />
        <LabelledText
          id="browser-profile"
          label="Profile"
          hint="none"
          value={profile}
          onChange={setProfile}
        />
        <p class="help">The team pays for the session by the minute until it ends.</p>
      </DialogForm>
    </Dialog>
  );
}

/** @throws ServiceProblem */
async function goodAnswer(path: `/v2/${string}`, body: Readonly<Record<string, unknown>>, teamId: string) {
  const answer = await post(path, body, teamId, new AbortController().signal);
  if (answer instanceof Error) throw answer;
  return answer;
}

function OpenedLinks({ opened, problem }: { readonly opened: Opened; readonly problem: string | undefined }) {
  return (
    <>
      {problem !== undefined && <Notice tone="warn" title={problem} />}
      <p class="help">For programs, such as Playwright's chromium.connectOverCDP:</p>
      <CopyLine value={opened.cdpUrl} label="CDP URL" />
      <p class="help">To look on:</p>
      <CopyLine value={opened.liveViewUrl} label="live view" />
      <p class="help">To click and type:</p>
      <CopyLine value={opened.interactiveLiveViewUrl} label="interactive live view" />
      <p class="help">These links work without a login until the session ends.</p>
      <div class="acts">
        <a class="btn primary" href={`/dashboard/sessions?id=${opened.id}`}>
          Show the session
        </a>
      </div>
    </>
  );
}
