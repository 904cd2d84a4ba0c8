import { Navigate } from "@tanstack/react-router";
import { Table2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/state.tsx";
import { useBase } from "../access/base.ts";
import { NewTable } from "./tabs.tsx";

const ImportDialog = lazy(() => import("../csv/dialog.tsx"));

/** Leads to the base's first table, or to making one. */
export function BaseStart() {
  const text = useText();
  const { base, canShape } = useBase();
  const [dialog, setDialog] = useState<"table" | "csv" | null>(null);
  const first = base.tables[0];
  if (first && dialog === null)
    return <Navigate to="/base/$baseId/$tableId" params={{ baseId: base.id, tableId: first.id }} search={{}} replace />;
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
