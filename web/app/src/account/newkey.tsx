import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { CreatedKey, NewKey } from "../api/account.ts";
import { createKey } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Problem } from "../api/problem.ts";
import { basesQuery, orgsQuery } from "../api/query.ts";
import type { Scope } from "../api/type.ts";
import { useAccountText } from "../text/account.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Input, Row, Select } from "../ui/form.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import { KeyView } from "./keyview.tsx";
import { passwordProblem } from "./password.ts";
import { type Preset, presetOf, presets, scopes } from "./scope.ts";
import { join } from "../ui/class.ts";

const expiries = { never: 0, d7: 7, d30: 30, d90: 90, d365: 365 };
const dayLong = 86_400_000;

/** Asks what a new key is for, what it may do, where, and until when. */
export function NewKeyForm({
  name: given = "",
  scopes: wanted,
  onCancel,
  onMade,
}: {
  name?: string;
  scopes?: string[]; // names that may be no scopes
  onCancel: () => void;
  onMade: (key: CreatedKey) => void;
}) {
  const text = useText();
  const t = useAccountText().key;
  const orgs = useQuery(orgsQuery);
  const bases = useQuery(basesQuery);
  const [name, setName] = useState(given);
  useUnsaved(name !== given);
  const [chosen, setChosen] = useState<Scope[]>(
    wanted ? scopes.filter((scope) => wanted.includes("all") || wanted.includes(scope)) : presets.write,
  );
  const [custom, setCustom] = useState(false);
  const [orgId, setOrgId] = useState("");
  const [some, setSome] = useState(false);
  const [baseIds, setBaseIds] = useState<string[]>([]);
  const [view, setView] = useState({ baseId: "", viewId: "" });
  const [expiry, setExpiry] = useState<keyof typeof expiries>("d90");
  const [problem, setProblem] = useState<string>();
  const [password, setPassword] = useState("");
  const [asked, setAsked] = useState<string>(); // why the password is needed, or that it is wrong
  const [busy, setBusy] = useState(false);
  const idempotency = useIdempotencyKeys();
  const preset: Preset = custom ? "custom" : presetOf(chosen);
  const [onlyBase] = some && baseIds.length === 1 ? baseIds : [];
  const viewId = view.baseId === onlyBase ? view.viewId : "";
  const offered = (bases.data ?? []).filter((base) => orgId === "" || base.orgId === orgId);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length === 0) return setProblem(t.noScope);
    if (some && baseIds.length === 0) return setProblem(t.noBase);
    setBusy(true);
    setProblem(undefined);
    try {
      const where = { ...(orgId ? { orgId } : {}), ...(some ? { baseIds } : {}), ...(viewId ? { viewId } : {}) };
      const entry = { name: name.trim(), scopes: chosen, ...where };
      const body: NewKey = { ...entry };
      if (asked && password) body.password = password;
      if (expiries[expiry] > 0) body.expiresTime = new Date(Date.now() + expiries[expiry] * dayLong).toISOString();
      onMade(await createKey({ body }, { idempotencyKey: idempotency.keyFor({ ...entry, expiry }) }));
    } catch (error) {
      const failure = Problem.from(error);
      const needed = passwordProblem(failure);
      setAsked(needed ?? asked);
      if (needed === undefined) setProblem(failure.message);
    } finally {
      setBusy(false);
    }
    return undefined;
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <Row label={t.name} hint={t.nameHint}>
        {(at) => (
          <Input
            {...at}
            autoComplete="off"
            maxLength={100}
            placeholder={t.namePlaceholder}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Row>
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-[560]">{t.presets}</legend>
        <RadioGroup
          aria-label={t.presets}
          value={preset}
          onValueChange={(next) => {
            setCustom(next === "custom");
            if (next !== "custom") setChosen(presets[next as keyof typeof presets]);
          }}
          className="grid gap-2 sm:grid-cols-2"
        >
          {(["read", "write", "mcp", "full", "custom"] as const).map((id) => (
            // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the radio inside is the control
            <label
              key={id}
              className={join(
                "flex items-start gap-2.5 rounded-lg border border-line p-3 has-",
                "data-[checked]:border-accent has-data-[checked]:bg-accent-soft",
              )}
            >
              <Radio.Root
                value={id}
                className={join(
                  "mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border",
                  "border-line-strong bg-surface data-[checked]:border-accent",
                )}
              >
                <Radio.Indicator className="size-2 rounded-full bg-accent" />
              </Radio.Root>
              <span>
                <span className="block font-[560]">{t.preset[id]}</span>
                <span className="block text-[13px] text-muted">{t.presetHint[id]}</span>
              </span>
            </label>
          ))}
        </RadioGroup>
      </fieldset>
      <fieldset>
        <legend className="mb-2 text-[13px] font-[560]">{t.scopes}</legend>
        <div className="grid gap-2.5 rounded-lg border border-line p-3.5">
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              checked={chosen.includes(scope)}
              onChange={(on) => {
                setCustom(true);
                setChosen(scopes.filter((one) => (one === scope ? on : chosen.includes(one))));
              }}
              label={
                <>
                  {t.scope[scope]} <span className="ml-1 font-mono text-[12px] text-faint">{scope}</span>
                </>
              }
            />
          ))}
        </div>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Row label={t.organization}>
          {(at) => (
            <Select
              {...at}
              value={orgId}
              onChange={(event) => {
                setOrgId(event.target.value);
                setBaseIds([]);
              }}
            >
              <option value="">{t.allOrganizations}</option>
              {orgs.data?.map((org) => (
                <option key={org.id} value={org.id}>
                  {org.name}
                </option>
              ))}
            </Select>
          )}
        </Row>
        <Row label={t.expiry}>
          {(at) => (
            <Select {...at} value={expiry} onChange={(event) => setExpiry(event.target.value as keyof typeof expiries)}>
              {(["d7", "d30", "d90", "d365", "never"] as const).map((id) => (
                <option key={id} value={id}>
                  {t.expiries[id]}
                </option>
              ))}
            </Select>
          )}
        </Row>
      </div>
      <Row label={t.bases}>
        {(at) => (
          <Select {...at} value={some ? "some" : "all"} onChange={(event) => setSome(event.target.value === "some")}>
            <option value="all">{t.allBases}</option>
            <option value="some">{t.someBases}</option>
          </Select>
        )}
      </Row>
      {some && (
        <div className="grid max-h-44 gap-2 overflow-y-auto rounded-lg border border-line p-3.5">
          {offered.map((base) => (
            <Checkbox
              key={base.id}
              label={base.name}
              checked={baseIds.includes(base.id)}
              onChange={(on) => setBaseIds(on ? [...baseIds, base.id] : baseIds.filter((id) => id !== base.id))}
            />
          ))}
        </div>
      )}
      {onlyBase && (
        <KeyView baseId={onlyBase} viewId={viewId} onChange={(next) => setView({ baseId: onlyBase, viewId: next })} />
      )}
      {asked !== undefined && (
        <Row label={t.password} error={asked}>
          {(at) => (
            <Input
              {...at}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Row>
      )}
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={!name.trim()}>
          {t.create}
        </Button>
      </div>
    </form>
  );
}
