import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { navigate } from "../route/router.ts";
import { startAirtableImport } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Problem } from "../api/problem.ts";
import type { Body, Workspace } from "../api/type.ts";
import { useAirtableText } from "../text/airtable.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import { HelpLink } from "../ui/helplink.tsx";
import { notify } from "../ui/toast.ts";
import { WorkspaceChoice } from "./workspacechoice.tsx";

const scopes = ["data.records:read", "data.recordComments:read", "schema.bases:read"];
const makeToken = "https://airtable.com/create/tokens";

/** The base that came from Airtable before, into which its changes go. */
type Former = { baseId: string; airtableBaseId: string };

type Props = {
  onClose: () => void;
  onBack?: () => void;
  workspaces: Pick<Workspace, "id" | "name">[];
  into?: string;
  former?: Former;
};

/** Asks for a token and a base of Airtable, and begins the import. */
export default function AirtableImport(props: Props) {
  const t = useAirtableText();
  const { former } = props;
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={former ? t.againTitle : t.title}
      description={former ? t.againIntro : t.intro}
      size="md"
      keepOnOutsidePress
    >
      <AirtableForm {...props} />
    </Dialog>
  );
}

function AirtableForm({ onClose, onBack, workspaces, into, former }: Props) {
  const text = useText();
  const t = useAirtableText();
  const [token, setToken] = useState("");
  const [source, setSource] = useState(former?.airtableBaseId ?? "");
  const [workspaceId, setWorkspaceId] = useState(into ?? workspaces[0]?.id ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const idempotency = useIdempotencyKeys();
  const ready = token.trim() !== "" && source.trim() !== "";
  const begin = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const body: Body<"start_airtable_import"> = { airtableBaseId: source.trim(), token: token.trim() };
      if (former) body.baseId = former.baseId;
      const { baseId } = await startAirtableImport(
        { workspaceId, body },
        { idempotencyKey: idempotency.keyFor({ workspaceId, ...body }) },
      );
      onClose();
      notify(t.begun, t.begunDetail);
      if (baseId) await navigate({ to: "/base/$baseId", params: { baseId } });
    } catch (error) {
      setProblem(Problem.from(error));
      setBusy(false);
    }
  };
  const wrong = (path: string) => problem?.items.find((item) => item.path === path)?.message;
  const elsewhere = problem && !wrong("token") && !wrong("airtableBaseId") ? problem.message : undefined;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) void begin();
      }}
    >
      <div>
        <Row label={t.token} error={wrong("token")}>
          {(at) => (
            <Input
              {...at}
              type="password"
              autoComplete="off"
              maxLength={500}
              value={token}
              placeholder="pat…"
              onChange={(e) => setToken(e.target.value)}
            />
          )}
        </Row>
        <p className="mt-1.5 text-[13px] text-muted">
          {t.tokenHint}{" "}
          {scopes.map((scope) => (
            <span key={scope}>
              <code className="rounded bg-sunken px-1 text-[12px]">{scope}</code>{" "}
            </span>
          ))}
          {t.tokenFate}
        </p>
        <a
          className="mt-1 inline-flex items-center gap-1.5 rounded-sm text-[13px] text-accent-ink hover:underline"
          href={makeToken}
          target="_blank"
          rel="noreferrer"
        >
          <ExternalLink size={14} aria-hidden />
          {t.tokenMake}
        </a>
      </div>
      <Row label={t.base} hint={former ? undefined : t.baseHint} error={wrong("airtableBaseId")}>
        {(at) => (
          <Input
            {...at}
            autoComplete="off"
            maxLength={500}
            value={source}
            readOnly={former !== undefined}
            placeholder="https://airtable.com/app…"
            onChange={(e) => setSource(e.target.value)}
          />
        )}
      </Row>
      {!former && <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />}
      {elsewhere && (
        <p role="alert" className="text-[13px] text-danger">
          {elsewhere}
        </p>
      )}
      <HelpLink page="how-to/move-from-airtable">{t.help}</HelpLink>
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        {onBack && (
          <Button look="quiet" className="mr-auto" onClick={onBack}>
            {t.back}
          </Button>
        )}
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!ready} busy={busy}>
          {t.begin}
        </Button>
      </div>
    </form>
  );
}
