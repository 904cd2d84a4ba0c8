import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { updateView } from "../api/change.ts";
import type { Filter, Table, View } from "../api/type.ts";
import { ViewSwitch } from "./viewlist.tsx";
import { FilterPanel } from "../filter/lazy.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { complain } from "../ui/toast.ts";
import { filterProblems, withoutBroken } from "./filterproblem.ts";

export type BrokenViewProps = { table: Table; view: View; canSave: boolean };

/**
 * Takes the place of a view whose filter no longer fits: it says why nothing is shown, and lets who
 * may repair the filter.
 */
export function BrokenView({ table, view, canSave }: BrokenViewProps) {
  const t = useText().view;
  const [filters, setFilters] = useState<Filter[]>(view.config.filters ?? []);
  const problems = filterProblems(view);
  const save = async (next: Filter[]) => {
    try {
      // As it stands: a condition that does not fit is refused, and not left out.
      await updateView({ viewId: view.id, body: { config: { filters: next } } });
    } catch (error) {
      complain(error);
    }
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="p-2">
        <ViewSwitch table={table} view={view} />
      </div>
      <div role="alert" className="mx-4 rounded-lg border border-danger/30 bg-danger-soft px-4 py-3 text-danger">
        <h2 className="flex items-center gap-2 font-[560]">
          <TriangleAlert size={17} aria-hidden />
          {t.brokenTitle}
        </h2>
        <p className="mt-1 text-[13px]">{canSave ? t.brokenBody : t.brokenReadOnly}</p>
        <ul className="mt-1.5 list-disc pl-5 text-[13px]">
          {problems.map((problem) => (
            <li key={problem.path} className="break-words">
              {problem.message}
            </li>
          ))}
        </ul>
      </div>
      {canSave && (
        <div className="p-2">
          <FilterPanel table={table} filters={filters} onChange={setFilters} />
          <div className="flex flex-wrap gap-2 px-3">
            <Button look="primary" onClick={() => void save(filters)}>
              {t.brokenSave}
            </Button>
            <Button
              look="secondary"
              onClick={() =>
                setFilters(
                  withoutBroken(
                    filters,
                    problems.map((problem) => problem.path),
                  ),
                )
              }
            >
              {t.brokenRemove}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
