import { useState } from "preact/hooks";

import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledText } from "../../parts/dialog-form.tsx";
import { type Filter, filterOf, logPath } from "./filter.ts";

const STORE = "pergamon.requests.views";
const MAX_VIEWS = 30;

type Views = Readonly<Record<string, string>>;

interface SavedViewsProps {
  readonly filter: Filter;
  readonly onOpen: (filter: Filter) => void;
}

/** Filters by name, kept in this browser. */
export function SavedViews({ filter, onOpen }: SavedViewsProps) {
  const [views, setViews] = useState<Views>(readViews);
  const [isNaming, setNaming] = useState(false);
  const path = logPath(filter);
  const current = Object.entries(views).find(([, saved]) => saved === path)?.[0];
  function keep(changed: Views): void {
    localStorage.setItem(STORE, JSON.stringify(changed));
    setViews(changed);
  }
  return (
    <>
      {Object.keys(views).length > 0 && (
        <Choice
          label="Saved view"
          all="Saved views"
          options={Object.fromEntries(Object.keys(views).map((name) => [name, name]))}
          value={current ?? ""}
          onChange={(name) => onOpen(filterOf(queryIn(views[name] ?? "")))}
        />
      )}
      {current === undefined && Object.keys(filter).length > 0 && (
        <button type="button" class="btn" onClick={() => setNaming(true)}>
          Save view
        </button>
      )}
      {current !== undefined && (
        <button
          type="button"
          class="btn"
          onClick={() => keep(Object.fromEntries(Object.entries(views).filter(([name]) => name !== current)))}
        >
          Forget view
        </button>
      )}
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep(Object.fromEntries([...Object.entries(views), [name, path]].slice(-MAX_VIEWS)));
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

function NameDialog({
  onName,
  onClose,
}: {
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState("");
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <DialogForm verb="Save" route={undefined} onSubmit={async () => onName(name)} onClose={onClose}>
        <LabelledText id="view-name" label="Name" isRequired value={name} onChange={setName} />
        <p class="help">The view is saved in this browser. Its address can be sent to colleagues.</p>
      </DialogForm>
    </Dialog>
  );
}

function readViews(): Views {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Views) : {};
  } catch {
    return {};
  }
}

function queryIn(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(path.split("?")[1] ?? ""));
}
