import { useQuery } from "@tanstack/react-query";
import { Ellipsis, KeyRound, Plus, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useSearch } from "../route/router.ts";
import type { CreatedKey, Key } from "../api/account.ts";
import { revokeKey, rotateKey } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Problem } from "../api/problem.ts";
import { keysQuery, orgsQuery } from "../api/query.ts";
import { ago, day } from "../locale/time.ts";
import { useAccountText } from "../text/account.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row, Select } from "../ui/form.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Section } from "../ui/settings.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { NewKeyForm } from "./newkey.tsx";
import { passwordProblem } from "./password.ts";
import { ScopeList } from "./scopelist.tsx";
import { ShownOnce } from "./shownonce.tsx";
import { useLocale } from "../locale/locale.ts";

const overlaps = { h0: 0, h1: 3600, h24: 86_400, h168: 604_800 };

/**
 * The person's API keys: what they may do, when they were used, and the ways to make, rotate and
 * end them.
 */
export function KeyPage() {
  const t = useAccountText().key;
  const keys = useQuery(keysQuery);
  const asked = useSearch("/settings/keys");
  const [creating, setCreating] = useState(asked.create !== undefined);
  const [made, setMade] = useState<CreatedKey>();
  const [revoking, setRevoking] = useState<Key>();
  const [rotating, setRotating] = useState<Key>();
  const create = (
    <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );
  return (
    <Section title={t.title} body={t.body} action={keys.data && keys.data.length > 0 && create}>
      {keys.isPending ? (
        <Waiting />
      ) : keys.isError ? (
        <Failed error={keys.error} retry={() => void keys.refetch()} />
      ) : keys.data.length === 0 ? (
        <div className="rounded-lg border border-dashed border-line-strong">
          <Empty icon={<KeyRound size={22} aria-hidden />} title={t.emptyTitle} body={t.emptyBody} action={create} />
        </div>
      ) : (
        <KeyTable keys={keys.data} onRevoke={setRevoking} onRotate={setRotating} />
      )}
      <Dialog open={creating} onClose={() => setCreating(false)} title={t.createTitle} size="md" keepOnOutsidePress>
        <NewKeyForm
          name={asked.create}
          scopes={asked.scopes?.split(",")}
          onCancel={() => setCreating(false)}
          onMade={(key) => {
            setCreating(false);
            setMade(key);
          }}
        />
      </Dialog>
      <ShownOnce made={made} onClose={() => setMade(undefined)} />
      <Rotate
        chosen={rotating}
        onClose={() => setRotating(undefined)}
        onMade={(key) => {
          setRotating(undefined);
          setMade(key);
        }}
      />
      <Confirm
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={t.revokeTitle(revoking?.name ?? "")}
        body={t.revokeBody}
        action={t.revoke}
        onConfirm={async () => {
          if (!revoking) return;
          try {
            await revokeKey({ keyId: revoking.id });
          } catch (error) {
            complain(error);
            throw error;
          }
          notify(t.revoked(revoking.name));
        }}
      />
    </Section>
  );
}

function KeyTable({
  keys,
  onRevoke,
  onRotate,
}: {
  keys: Key[];
  onRevoke: (key: Key) => void;
  onRotate: (key: Key) => void;
}) {
  const text = useText();
  const t = useAccountText().key;
  const locale = useLocale();
  const orgs = useQuery(orgsQuery);
  const [now] = useState(Date.now);
  const wide = "max-xl:hidden"; // in a narrow window these stand below the name
  const head = "px-4 py-2.5 font-[560] whitespace-nowrap";
  return (
    // Relative, or what is hidden by position at the far end of the table escapes the region and
    // widens the page.
    <div
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg border border-line bg-surface shadow-low"
      role="region"
      aria-label={t.title}
    >
      <table className="w-full text-[13.5px]">
        <thead className="border-b border-line bg-canvas text-left text-[12.5px] text-muted">
          <tr>
            <th className={head}>{t.column.name}</th>
            <th className={join(head, wide)}>{t.column.key}</th>
            <th className={join(head, "max-2xl:hidden")}>{t.column.created}</th>
            <th className={join(head, wide)}>{t.column.used}</th>
            <th className={join(head, wide)}>{t.column.expires}</th>
            <th className="w-12">
              <span className="sr-only">{text.action.more}</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {keys.map((key) => {
            const expired = key.expiresTime !== null && Date.parse(key.expiresTime) < now;
            const used = key.lastUsedTime ? ago(key.lastUsedTime, locale) : t.never;
            const expires = expired ? t.expired : key.expiresTime ? day(key.expiresTime, locale) : t.never;
            return (
              <tr key={key.id} className={expired ? "text-faint" : ""}>
                <td className="w-full min-w-52 px-4 py-3 align-top">
                  <span className="font-[560]">{key.name}</span>
                  <span className="block font-mono text-[12.5px] xl:hidden">
                    {key.prefix}…{key.lastFour}
                  </span>
                  <ScopeList scopes={key.scopes} />
                  {key.orgId && (
                    <span className="mt-1 block text-[12.5px] text-faint">
                      {orgs.data?.find((org) => org.id === key.orgId)?.name}
                    </span>
                  )}
                  <span className="mt-1.5 block text-[12.5px] text-muted xl:hidden">
                    {t.column.used}: {used} · {t.column.expires}: {expires}
                  </span>
                </td>
                <td className={join("px-4 py-3 align-top font-mono text-[12.5px] whitespace-nowrap", wide)}>
                  {key.prefix}…{key.lastFour}
                </td>
                <td className="px-4 py-3 align-top whitespace-nowrap text-muted max-2xl:hidden">
                  {day(key.createdTime, locale)}
                </td>
                <td className={join("px-4 py-3 align-top whitespace-nowrap text-muted", wide)}>{used}</td>
                <td className={join("px-4 py-3 align-top whitespace-nowrap text-muted", wide)}>{expires}</td>
                <td className="px-2 py-2 align-top">
                  <Menu
                    align="end"
                    trigger={
                      <IconButton label={t.actions(key.name)}>
                        <Ellipsis size={16} aria-hidden />
                      </IconButton>
                    }
                  >
                    <MenuItem icon={<RefreshCw size={15} />} onSelect={() => onRotate(key)}>
                      {t.rotate}
                    </MenuItem>
                    <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => onRevoke(key)}>
                      {t.revoke}
                    </MenuItem>
                  </Menu>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Rotate({
  chosen,
  onClose,
  onMade,
}: {
  chosen: Key | undefined;
  onClose: () => void;
  onMade: (key: CreatedKey) => void;
}) {
  const idempotency = useIdempotencyKeys();
  const text = useText();
  const t = useAccountText().key;
  const [overlap, setOverlap] = useState<keyof typeof overlaps>("h24");
  const [busy, setBusy] = useState(false);
  const [password, setPassword] = useState("");
  const [asked, setAsked] = useState<string>(); // why the password is needed, or that it is wrong
  const close = () => {
    setPassword("");
    setAsked(undefined);
    onClose();
  };
  const rotate = async () => {
    if (!chosen) return;
    setBusy(true);
    try {
      const body = { overlapSeconds: overlaps[overlap], password: asked && password ? password : undefined };
      const idempotencyKey = idempotency.keyFor([chosen.id, overlap]);
      onMade(await rotateKey({ keyId: chosen.id, body }, { idempotencyKey }));
      idempotency.done();
      setPassword("");
      setAsked(undefined);
    } catch (error) {
      const needed = passwordProblem(Problem.from(error));
      if (needed === undefined) complain(error);
      else setAsked(needed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={chosen !== undefined}
      onClose={close}
      title={t.rotateTitle(chosen?.name ?? "")}
      description={t.rotateBody}
      footer={
        <>
          <Button onClick={close}>{text.action.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void rotate()}>
            {t.rotate}
          </Button>
        </>
      }
    >
      <Row label={t.overlap}>
        {(at) => (
          <Select {...at} value={overlap} onChange={(event) => setOverlap(event.target.value as keyof typeof overlaps)}>
            {(["h0", "h1", "h24", "h168"] as const).map((id) => (
              <option key={id} value={id}>
                {t.overlaps[id]}
              </option>
            ))}
          </Select>
        )}
      </Row>
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
    </Dialog>
  );
}
