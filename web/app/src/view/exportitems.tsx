import { FileJson, FileSpreadsheet, FileType, Printer } from "lucide-react";
import { useBase } from "../access/base.ts";
import type { Table, View } from "../api/type.ts";
import { viewAs } from "../api/viewas.ts";
import { beginExport } from "../job/begin.ts";
import type { RowQuery } from "../record/source.ts";
import { useJobText } from "../text/job.ts";
import { MenuItem } from "../ui/lazypopup.tsx";

export type ExportItemsProps = { table: Table; view: View; query: RowQuery };

/** Opens a page with the shown rows of a view that the browser prints. */
function print(orgId: string, view: View, { filters, sorts, search }: RowQuery) {
  const parameters = new URLSearchParams();
  if (filters) parameters.set("filters", JSON.stringify(filters));
  if (sorts) parameters.set("sorts", JSON.stringify(sorts));
  if (search) parameters.set("q", search);
  const page = window.open(`/share/print/${orgId}/${view.id}?${parameters}`, "_blank");
  page?.addEventListener("load", () => page.print());
}

/** Printing, and the exports of the shown rows that go on when the page is closed. They are of the present. */
export function ExportItems({ table, view, query }: ExportItemsProps) {
  const t = useJobText();
  const { orgId } = useBase();
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
      {orgId !== null && !viewAs() && (
        <MenuItem icon={<Printer size={15} />} onSelect={() => print(orgId, view, query)}>
          {t.print}
        </MenuItem>
      )}
    </>
  );
}
