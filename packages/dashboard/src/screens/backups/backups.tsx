import { useEffect, useState } from "preact/hooks";

import type { BackupsAnswer } from "@pergamon-dev/server/operator/backups";
import { addressOf, ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { bytes } from "../../format/numbers.ts";
import { exactly } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { act } from "../../parts/toasts.tsx";

type Backup = BackupsAnswer["data"]["backups"][number];

const LOOK_MS = 1000;
const TONES = { running: "info", done: "ok", failed: "bad", missing: "warn" } as const;

/** Backups of the service, and the way to make one. */
export function Backups() {
  const [everyMs, setEveryMs] = useState<number | undefined>(undefined);
  const loaded = useAnswer("GET /admin/api/backups", {}, { everyMs });
  const { folder, whyNot, backups = [] } = loaded.data?.data ?? {};
  const [leaving, setLeaving] = useState<Backup | undefined>(undefined);
  const isRunning = backups.some(({ state }) => state === "running");
  useEffect(() => setEveryMs(isRunning ? LOOK_MS : undefined), [isRunning]);
  async function begin(withFiles: boolean): Promise<void> {
    await act(async () => {
      await ask("POST /admin/api/backups", { body: { withFiles } });
      return "The backup has begun.";
    });
    loaded.reload();
  }
  return (
    <Page
      title="Backups"
      acts={
        <Begin
          isOff={isRunning || typeof whyNot === "string"}
          onBegin={(withFiles) => void begin(withFiles)}
        />
      }
    >
      {typeof whyNot === "string" && <Notice tone="warn" title={whyNot} />}
      <Panel label="Backups">
        <WithData loaded={loaded}>
          {({ data }) => (
            <Table
              label="Backups"
              columns={[
                ...COLUMNS,
                { kind: "acts", cell: (backup) => <Acts backup={backup} onDelete={setLeaving} /> },
              ]}
              rows={data.backups}
              keyOf={({ id }) => id}
              empty={<Empty title="No backups yet">They are written to {data.folder}.</Empty>}
            />
          )}
        </WithData>
      </Panel>
      {folder !== undefined && backups.length > 0 && <Advice folder={folder} newest={newestOf(backups)} />}
      {leaving && (
        <DeleteBackup backup={leaving} onDeleted={loaded.reload} onClose={() => setLeaving(undefined)} />
      )}
    </Page>
  );
}

interface DeleteProps {
  readonly backup: Backup;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

function DeleteBackup({ backup: { id, file }, onDeleted, onClose }: DeleteProps) {
  async function remove(): Promise<string> {
    await ask("DELETE /admin/api/backups/{id}", { params: { id } });
    return "Deleted.";
  }
  function onDone(): void {
    onDeleted();
    onClose();
  }
  return (
    <Confirm
      title="Delete this backup?"
      verb="Delete"
      route="DELETE /admin/api/backups/{id}"
      work={remove}
      onDone={onDone}
      onClose={onClose}
    >
      The file {plainly(file)} is deleted. This cannot be undone.
    </Confirm>
  );
}

interface BeginProps {
  readonly isOff: boolean;
  readonly onBegin: (withFiles: boolean) => void;
}

function Begin({ isOff, onBegin }: BeginProps) {
  const [withFiles, setWithFiles] = useState(false);
  return (
    <>
      <label class="row tight">
        <input
          type="checkbox"
          class="check"
          checked={withFiles}
          onChange={({ currentTarget }) => setWithFiles(currentTarget.checked)}
        />
        With cached pages, responses and screenshots
      </label>
      <ActButton
        route="POST /admin/api/backups"
        class="btn primary"
        disabled={isOff}
        onClick={() => onBegin(withFiles)}
      >
        Back up now
      </ActButton>
    </>
  );
}

function Acts({
  backup,
  onDelete,
}: {
  readonly backup: Backup;
  readonly onDelete: (backup: Backup) => void;
}) {
  const { id, file, state } = backup;
  if (state === "running") return null;
  return (
    <>
      {state === "done" && (
        <ActButton
          route="GET /admin/api/backups/{id}/file"
          class="btn small"
          aria-label={`Download ${file}`}
          onClick={() => location.assign(addressOf("/admin/api/backups/{id}/file", { id }))}
        >
          Download
        </ActButton>
      )}{" "}
      <ActButton
        route="DELETE /admin/api/backups/{id}"
        class="btn small quiet danger"
        aria-label={`Delete ${file}`}
        onClick={() => onDelete(backup)}
      >
        Delete
      </ActButton>
    </>
  );
}

/** The file that is restored most likely. */
function newestOf(backups: readonly Backup[]): string {
  return backups.find(({ state }) => state === "done")?.file ?? "FILE";
}

function Advice({ folder, newest }: { readonly folder: string; readonly newest: string }) {
  return (
    <div class="above">
      <p class="help wrap foreign">
        The files are in <code>{plainly(folder)}</code>. They contain the key of saved profiles and settings:
        store copies as securely as passwords, on another machine. For one each night, let a timer of the
        system run <code>npx pergamon backup</code>. To restore the newest, stop the service and run
      </p>
      <CopyLine
        value={`npx pergamon restore ${folder}/${newest} --replace`}
        label="the line that restores it"
      />
    </div>
  );
}

const COLUMNS: readonly Column<Backup>[] = [
  {
    heading: "File",
    by: ({ file }) => file,
    kind: "name",
    class: "wrap",
    cell: ({ file, withFiles, problem }) => (
      <>
        <span class="mono">{file}</span>
        {withFiles && <span class="faint"> with files</span>}
        {problem !== null && <p class="problem wrap foreign">{plainly(problem)}</p>}
      </>
    ),
  },
  {
    heading: "State",
    cell: ({ state, step }) => (
      <div aria-live="polite">
        <Badge tone={TONES[state]}>{state}</Badge>
        {state === "running" && <p class="help">{step}</p>}
      </div>
    ),
  },
  {
    heading: "Size",
    by: ({ sizeBytes }) => sizeBytes,
    kind: "number",
    cell: ({ sizeBytes }) => (sizeBytes === null ? "" : bytes(sizeBytes)),
  },
  {
    heading: "Begun",
    by: ({ startedAt }) => startedAt,
    from: "wide",
    class: "dim",
    cell: ({ startedAt }) => exactly(startedAt),
  },
];
