import type { TeamEntry, ThreatPolicyPatch } from "@pergamon-dev/server/accounts/operator/teams";
import { Fields } from "../../forms/field.tsx";
import { type JsonSchema, shapesOf } from "../../forms/json-schema.ts";
import { LabelledChoice } from "../../parts/dialog-form.tsx";
import { WithData } from "../../parts/states.tsx";
import { useSchema } from "../../client/schema.ts";

const RETENTION = {
  allowed: "Allowed: each request can ask for it",
  forced: "Forced: no request is stored",
  off: "Off: requests that ask for it are rejected",
} as const;

interface RetentionProps {
  readonly flags: TeamEntry["flags"];
  readonly onChange: (flags: TeamEntry["flags"]) => void;
}

/** Whether what the team asks for is stored. */
export function RetentionField({ flags, onChange }: RetentionProps) {
  return (
    <LabelledChoice
      id="edit-retention"
      label="Zero data retention"
      choices={RETENTION}
      value={flags.zeroDataRetention ?? "allowed"}
      onChange={(zeroDataRetention) => onChange({ ...flags, zeroDataRetention })}
    />
  );
}

const MODES = {
  off: "Off: addresses are not checked",
  normal: "Normal: by risk and by the lists",
  "manual-only": "Manual only: by the lists alone",
} as const;

interface ThreatProps {
  readonly value: ThreatPolicyPatch;
  readonly onChange: (value: ThreatPolicyPatch) => void;
}

/** Which addresses the team's requests may not open. The lists stay while the policy is off. */
export function ThreatFields({ value, onChange }: ThreatProps) {
  const schema = useSchema("TeamPatch");
  return (
    <>
      <LabelledChoice
        id="edit-threat-mode"
        label="Threat policy"
        choices={Object.hasOwn(MODES, value.mode) ? MODES : { ...MODES, [value.mode]: value.mode }}
        value={value.mode}
        onChange={(mode) => onChange({ ...value, mode })}
      />
      {value.mode !== "off" && (
        <WithData loaded={schema} lines={4}>
          {(known) => (
            <div class="stack">
              <Fields
                schema={policyIn(known)}
                value={value}
                id="edit-threat"
                onChange={(changed) => onChange({ ...changed, mode: value.mode })}
              />
            </div>
          )}
        </WithData>
      )}
    </>
  );
}

/** What a policy has besides its mode. */
function policyIn({ properties = {} }: JsonSchema): JsonSchema {
  const policy = shapesOf(properties["threatPolicy"] ?? {}).find((shape) => shape.properties !== undefined);
  const { mode: _, ...others } = policy?.properties ?? {};
  return { type: "object", properties: others };
}
