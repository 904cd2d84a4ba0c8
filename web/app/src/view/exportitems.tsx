import { FileJson, FileSpreadsheet, FileType } from "lucide-react";
import type { Table } from "../api/type.ts";
import { beginExport } from "../job/begin.ts";
import type { RowQuery } from "../record/source.ts";
import { useJobText } from "../text/job.ts";
import { MenuItem } from "../ui/lazypopup.tsx";

/** The exports of the shown rows that go on when the page is closed. They are of the present. */
export function ExportItems({ table, query }: { table: Table; query: RowQuery }) {
  const t = useJobText();
  if (query.asOf !== undefined) return null;
  const begin = (format: "xlsx" | "ndjson" | "parquet") =>
    void beginExport(
      table.id,
      {
        format,
        view: query.view,
        search: query.search || undefined,
        filters: query.filters as Record<string, unknown>[] | undefined,
        sorts: query.sorts as Record<string, unknown>[] | undefined,
      },
      t,
    );
  return (
    <>
      <MenuItem icon={<FileSpreadsheet size={15} />} onSelect={() => begin("xlsx")}>
        {t.exportXlsx}
      </MenuItem>
      <MenuItem icon={<FileJson size={15} />} onSelect={() => begin("ndjson")}>
        {t.exportNdjson}
      </MenuItem>
      <MenuItem icon={<FileType size={15} />} onSelect={() => begin("parquet")}>
        {t.exportParquet}
      </MenuItem>
    </>
  );
}
