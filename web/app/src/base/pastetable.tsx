import { Suspense, useEffect, useState } from "react";
import { useBase } from "../access/base.ts";
import { useText } from "../text/index.ts";
import { preloadable } from "../ui/preloadable.tsx";

const ImportDialog = preloadable(async () => (await import("../csv/dialog.tsx")).default, null);

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** The cells of a clipboard as a CSV file; undefined for less than two cells. */
async function fileOf(plain: string, html: string, name: string): Promise<File | undefined> {
  const { readCells } = await import("../grid/clipboard.ts");
  const cells = await readCells(plain, html);
  if (cells.length < 2 && (cells[0]?.length ?? 0) < 2) return undefined;
  const lines = cells.map((line) => line.map(quoted).join(","));
  return new File([lines.join("\n")], `${name}.csv`, { type: "text/csv" });
}

/** Offers a new table for cells that are pasted where nothing is that could take them. */
export function PasteTable() {
  const { base, canShape } = useBase();
  const name = useText().base.pastedTable(base.tables.length + 1);
  const [file, setFile] = useState<File>();
  useEffect(() => {
    if (!canShape) return undefined;
    const onPaste = (event: ClipboardEvent) => {
      const focused = document.activeElement;
      if (focused !== null && focused !== document.body) return;
      const [plain, html] = ["text/plain", "text/html"].map((type) => event.clipboardData?.getData(type) ?? "");
      // What takes the cells, such as a grid, has prevented the default by then.
      setTimeout(() => {
        if (event.defaultPrevented) return;
        void fileOf(plain ?? "", html ?? "", name).then((found) => found && setFile(found));
      });
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, [canShape, name]);
  return <Suspense>{file && <ImportDialog file={file} pasted onClose={() => setFile(undefined)} />}</Suspense>;
}
