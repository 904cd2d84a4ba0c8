import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useBase } from "../access/base.ts";
import { basesQuery } from "../api/query.ts";
import type { Job } from "../api/type.ts";
import AirtableImport from "./airtableimport.tsx";
import ProductImport from "./productimport.tsx";
import { useAirtableText } from "../text/airtable.ts";
import { Button } from "../ui/button.tsx";

type Report = NonNullable<Job["report"]>;
type TableReport = NonNullable<Report["tables"]>[number];

const listed = 50;

/** What came from another product by tables, what did not and why, and another import of what has changed since. */
export default function ProductReport({ job }: { job: Job }) {
  const t = useAirtableText();
  const { base, canShape } = useBase();
  const [again, setAgain] = useState(false);
  const report = job.report ?? {};
  const left = report.leftOut ?? [];
  const more = (report.moreLeftOut ?? 0) + Math.max(0, left.length - listed);
  const bases = useQuery(basesQuery);
  const workspaceId = bases.data?.find(({ id }) => id === base.id)?.workspaceId;
  return (
    <div className="space-y-2">
      <ul className="space-y-1">
        {(report.tables ?? []).map((table) => (
          <li key={table.name}>
            <span className="font-[560]">{table.name}</span>{" "}
            <span className="text-muted">{countsOf(table, t.counts).join(", ")}</span>
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <Part title={t.leftOut}>
          {left.slice(0, listed).map(({ table, field, count, why }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a field may have several reasons
            <li key={index}>
              <span className="text-ink">{field ? `${table}, ${field}` : table}</span>
              {count > 1 ? ` (${count}): ` : ": "}
              {why}
            </li>
          ))}
          {more > 0 && <li>{t.more(more)}</li>}
        </Part>
      )}
      {(report.notMembers ?? []).length > 0 && (
        <Part title={t.notMembers}>
          <li>{(report.notMembers ?? []).join(", ")}</li>
        </Part>
      )}
      {(report.notes ?? []).length > 0 && (
        <Part title={t.notes}>
          {(report.notes ?? []).map((note) => (
            <li key={note}>{note}</li>
          ))}
        </Part>
      )}
      {job.baseId === base.id && (job.airtableBaseId || job.from) && workspaceId && canShape && (
        <Button onClick={() => setAgain(true)}>{t.again}</Button>
      )}
      {again && job.airtableBaseId && workspaceId && (
        <AirtableImport
          onClose={() => setAgain(false)}
          workspaces={[]}
          into={workspaceId}
          former={{ baseId: base.id, airtableBaseId: job.airtableBaseId }}
        />
      )}
      {again && job.from && workspaceId && (
        <ProductImport
          onClose={() => setAgain(false)}
          workspaces={[]}
          into={workspaceId}
          former={{ baseId: base.id, from: job.from }}
        />
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="text-[13px] font-[560]">{title}</h3>
      <ul className="max-h-40 space-y-0.5 overflow-y-auto text-muted">{children}</ul>
    </section>
  );
}

function countsOf(table: TableReport, texts: Record<string, (n: number) => string>): string[] {
  return Object.entries(texts).flatMap(([name, write]) => {
    const n = table[name as keyof TableReport];
    return typeof n === "number" && n > 0 ? [write(n)] : [];
  });
}
