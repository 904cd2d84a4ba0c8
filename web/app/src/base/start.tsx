import { Table2 } from "lucide-react";
import { Suspense, useState } from "react";
import { Navigate } from "../route/outlet.tsx";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/state.tsx";
import { useBase } from "../access/base.ts";
import { NewTable } from "./tabs.tsx";
import { preloadable } from "../ui/preloadable.tsx";

const ImportDialog = preloadable(async () => (await import("../csv/dialog.tsx")).default, null);

/** Leads to the base's first table, or to making one. */
export function BaseStart() {
  const text = useText();
  const { base, canShape } = useBase();
  const [dialog, setDialog] = useState<"table" | "csv" | null>(null);
  const first = base.tables[0];
  if (first && dialog === null)
    return <Navigate to="/base/$baseId/$tableId" params={{ baseId: base.id, tableId: first.id }} search={{}} />;
  return (
    <>
      <Empty
        icon={<Table2 size={22} aria-hidden />}
        title={text.base.emptyTitle}
        body={canShape ? text.base.emptyBody : text.base.emptyViewer}
        action={
          canShape && (
            <>
              <Button look="primary" onClick={() => setDialog("table")}>
                {text.base.addTable}
              </Button>
              <Button onClick={() => setDialog("csv")}>{text.base.importTable}</Button>
            </>
          )
        }
      />
      <NewTable open={dialog === "table"} onClose={() => setDialog(null)} />
      <Suspense>{dialog === "csv" && <ImportDialog onClose={() => setDialog(null)} />}</Suspense>
    </>
  );
}
