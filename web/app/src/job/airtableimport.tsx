import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { startAirtableImport } from "../api/change.ts";
import type { Body } from "../api/type.ts";
import { useAirtableText } from "../text/airtable.ts";
import { Input, Row } from "../ui/form.tsx";
import { ImportDialog, type ImportProps } from "./importdialog.tsx";

const scopes = ["data.records:read", "data.recordComments:read", "schema.bases:read"];
const makeToken = "https://airtable.com/create/tokens";

/** The base that came from Airtable before, into which its changes go. */
type Former = { baseId: string; airtableBaseId: string };

/** Asks for a token and a base of Airtable, and begins the import. */
export default function AirtableImport({ former, ...props }: ImportProps & { former?: Former }) {
  const t = useAirtableText();
  const [token, setToken] = useState("");
  const [source, setSource] = useState(former?.airtableBaseId ?? "");
  const body: Body<"start_airtable_import"> = { airtableBaseId: source.trim(), token: token.trim() };
  if (former) body.baseId = former.baseId;
  return (
    <ImportDialog
      {...props}
      title={former ? t.againTitle : t.title}
      intro={former ? t.againIntro : t.intro}
      helpPage="how-to/move-from-airtable"
      isAgain={former !== undefined}
      body={body.airtableBaseId && body.token ? body : undefined}
      start={startAirtableImport}
      placed={["token", "airtableBaseId"]}
    >
      {(wrong) => (
        <>
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
        </>
      )}
    </ImportDialog>
  );
}
