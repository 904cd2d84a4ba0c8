import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import { Link } from "../../route/link.tsx";
import { useAccountText } from "../../text/account.ts";
import { useText } from "../../text/index.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/code.tsx";
import { Row, Select } from "../../ui/form.tsx";
import { HelpLink } from "../../ui/helplink.tsx";
import { Empty } from "../../ui/state.tsx";
import { useBase } from "../../access/base.ts";
import {
  actions,
  exampleOf,
  type Language,
  languageNames,
  languages,
  mcpConfiguration,
  mcpQuestion,
  requestOf,
  snippet,
} from "./snippet.ts";
import { join } from "../../ui/class.ts";

const tab = join(
  "-mb-px h-9 border-b-2 border-transparent px-3 text-muted hover:text-ink",
  "data-[active]:border-accent data-[active]:text-ink",
);

/** How programs reach this base: examples that work as they stand, but for the key. */
export function CodePage() {
  const keyText = useAccountText().key;
  const text = useText();
  const t = text.base.code;
  const { base } = useBase();
  const [tableId, setTableId] = useState(base.tables[0]?.id);
  const [language, setLanguage] = useState<Language | "mcp">("curl");
  const table = base.tables.find((one) => one.id === tableId) ?? base.tables[0];
  if (!table) return <Empty title={text.base.emptyTitle} />;
  return (
    <div className="h-full overflow-y-auto bg-surface">
      <title>{`${t.title} · ${base.name}`}</title>
      <div className="mx-auto max-w-[900px] px-6 py-8">
        <h2 className="text-[22px]">{t.title}</h2>
        <p className="mt-1 text-muted">{t.body}</p>
        <HelpLink page="reference/rest" className="mt-1">
          {t.help}
        </HelpLink>
        <div className="mt-5 flex flex-wrap items-end justify-between gap-3">
          <Row label={t.table} className="w-64">
            {(at) => (
              <Select {...at} value={table.id} onChange={(event) => setTableId(event.target.value)}>
                {base.tables.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </Select>
            )}
          </Row>
          <p className="flex items-center gap-3 text-[13px] text-muted">
            {t.key}
            <Button size="sm" render={<Link to="/settings/keys" />}>
              {t.makeKey}
            </Button>
          </p>
        </div>
        <Tabs.Root value={language} onValueChange={(next) => setLanguage(next as Language | "mcp")} className="mt-6">
          <Tabs.List aria-label={t.language} className="flex border-b border-line">
            {languages.map((one) => (
              <Tabs.Tab key={one} value={one} className={tab}>
                {languageNames[one]}
              </Tabs.Tab>
            ))}
            <Tabs.Tab value="mcp" className={tab}>
              MCP
            </Tabs.Tab>
          </Tabs.List>
          {languages.map((one) => (
            <Tabs.Panel key={one} value={one} className="flex flex-col gap-6 pt-5">
              {actions.map((action) => (
                <section key={action}>
                  <h3 className="mb-2 text-[14px]">{t[action]}</h3>
                  <Code label={t[action]}>{snippet(one, requestOf(action, table), location.origin)}</Code>
                </section>
              ))}
            </Tabs.Panel>
          ))}
          <Tabs.Panel value="mcp" className="flex flex-col gap-4 pt-5">
            <p className="text-muted">{t.mcp}</p>
            <HelpLink page="how-to/connect-an-agent">{t.helpAgent}</HelpLink>
            <Code label={keyText.mcp}>{mcpConfiguration(location.origin)}</Code>
            <Code label="MCP">{mcpQuestion(base, table)}</Code>
          </Tabs.Panel>
        </Tabs.Root>
        <h3 className="mt-10 mb-2 text-[16px]">{t.fieldsTitle}</h3>
        <div
          // A region that scrolls has to be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="region"
          aria-label={t.fieldsTitle}
          className="overflow-x-auto rounded-lg border border-line"
        >
          <table className="w-full text-[13px]">
            <thead className="bg-canvas text-left text-[12.5px] text-muted">
              <tr>
                {[t.fieldColumns.name, t.fieldColumns.type, t.fieldColumns.example, t.fieldColumns.id].map(
                  (heading) => (
                    <th key={heading} className="px-3 py-2 font-[560]">
                      {heading}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {table.fields.map((field) => (
                <tr key={field.id}>
                  <td className="px-3 py-2 font-[560]">{field.name}</td>
                  <td className="px-3 py-2 font-mono text-[12px] text-muted">{field.type}</td>
                  <td className="max-w-60 truncate px-3 py-2 font-mono text-[12px]">
                    {exampleOf(field) === undefined ? "–" : JSON.stringify(exampleOf(field))}
                  </td>
                  <td className="px-3 py-2 font-mono text-[12px] text-faint">{field.id}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-[13px]">
          <dt className="text-muted">baseId</dt>
          <dd className="font-mono text-[12px]">{base.id}</dd>
          <dt className="text-muted">tableId</dt>
          <dd className="font-mono text-[12px]">{table.id}</dd>
        </dl>
      </div>
    </div>
  );
}
