import { useState } from "preact/hooks";

import type { OperatorsAnswer } from "@pergamon-dev/server/operator/logins";
import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledChoice, LabelledText } from "../../parts/dialog-form.tsx";
import { MadeKey } from "../../parts/made-key.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

type Person = OperatorsAnswer["data"][number];

const ROLES = {
  admin: "Admin: changes everything",
  viewer: "Viewer: looks at everything, changes nothing",
} as const;

/** People who log in with keys of their own, so that the audit log names them. */
export function OperatorKeys() {
  const loaded = useAnswer("GET /admin/api/operators");
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Person | undefined>(undefined);
  async function remove({ id }: Person): Promise<string> {
    await ask("DELETE /admin/api/operators/{id}", { params: { id } });
    return "The key has ended, and so have its logins.";
  }
  function onRemoved(): void {
    setLeaving(undefined);
    loaded.reload();
  }
  return (
    <Panel
      title="Operator keys"
      beside={
        <ActButton route="POST /admin/api/operators" class="btn small" onClick={() => setAdding(true)}>
          New operator key
        </ActButton>
      }
    >
      <WithData loaded={loaded} lines={2}>
        {({ data }) => <People people={data} onRemove={setLeaving} />}
      </WithData>
      {isAdding && <NewOperator onMade={loaded.reload} onClose={() => setAdding(false)} />}
      {leaving && (
        <Confirm
          title={`Remove the key of ${plainly(leaving.name)}?`}
          verb="Remove"
          route="DELETE /admin/api/operators/{id}"
          work={() => remove(leaving)}
          onDone={onRemoved}
          onClose={() => setLeaving(undefined)}
        >
          The key ends immediately, and all browsers that it has logged in are logged out.
        </Confirm>
      )}
    </Panel>
  );
}

interface PeopleProps {
  readonly people: readonly Person[];
  readonly onRemove: (person: Person) => void;
}

function People({ people, onRemove }: PeopleProps) {
  return (
    <Table
      label="Operator keys"
      columns={[
        ...COLUMNS,
        {
          kind: "acts",
          cell: (person) => (
            <ActButton
              route="DELETE /admin/api/operators/{id}"
              class="btn small danger"
              aria-label={`Remove ${plainly(person.name)}`}
              onClick={() => onRemove(person)}
            >
              Remove
            </ActButton>
          ),
        },
      ]}
      rows={people}
      keyOf={({ id }) => id}
      empty={
        <Empty title="Everybody uses the one operator key">
          With a key for each person the audit log names who changed what, and viewers change nothing.
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly Column<Person>[] = [
  {
    heading: "Name",
    kind: "name",
    by: ({ name }) => name,
    cell: ({ name }) => <span class="foreign">{plainly(name)}</span>,
  },
  { heading: "Role", by: ({ role }) => role, cell: ({ role }) => role },
  {
    heading: "Since",
    from: "wide",
    class: "dim",
    by: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => exactly(createdAt),
  },
];

interface NewOperatorProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

function NewOperator({ onMade, onClose }: NewOperatorProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Person["role"]>("viewer");
  const [key, setKey] = useState<string | undefined>(undefined);
  async function make(): Promise<void> {
    setKey((await ask("POST /admin/api/operators", { body: { name, role } })).key);
    onMade();
  }
  if (key !== undefined) {
    return (
      <Dialog title="The operator key" onClose={onClose}>
        <MadeKey operatorKey={key} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="New operator key" onClose={onClose}>
      <DialogForm verb="Create key" route="POST /admin/api/operators" onSubmit={make} onClose={onClose}>
        <LabelledText id="operator-name" label="Name" isRequired value={name} onChange={setName} />
        <LabelledChoice id="operator-role" label="Role" choices={ROLES} value={role} onChange={setRole} />
      </DialogForm>
    </Dialog>
  );
}
