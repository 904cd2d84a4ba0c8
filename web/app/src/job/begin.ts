import { exportBase, exportTable, importBase } from "../api/change.ts";
import { invalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { upload } from "../api/upload.ts";
import type { Body } from "../api/type.ts";
import type { job } from "../text/en/job.ts";
import { complain, notify } from "../ui/toast.ts";

/** Begins the export of a table, or of what a query finds in it. */
export async function beginExport(tableId: string, body: Body<"export_table">, t: typeof job): Promise<void> {
  try {
    await exportTable({ tableId, body });
    notify(t.begun, t.begunDetail);
  } catch (error) {
    complain(error);
  }
}

/** Begins the export of a base. */
export async function beginBaseExport(baseId: string, format: "xlsx" | "archive", t: typeof job): Promise<void> {
  try {
    await exportBase({ baseId, body: { format } });
    notify(t.begun, t.begunDetail);
  } catch (error) {
    complain(error);
  }
}

/** Uploads a file, and begins its import into a new table. The page may be closed once it is uploaded. */
export async function beginImport(baseId: string, file: File, locale: string, t: typeof job): Promise<void> {
  notify(t.importing(file.name));
  try {
    const sent = await upload({
      to: `bases/${encodeURIComponent(baseId)}`,
      file,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    await importBase({ baseId, body: { file: sent.id, locale, onBad: "text" } });
    notify(t.importBegun(file.name), t.importDetail);
  } catch (error) {
    complain(error);
  }
  await invalidate([key.jobs]);
}
