import { useEffect, useState } from "react";
import { Problem } from "../../api/problem.ts";
import { checkFormula } from "../../api/read.ts";
import type { Schemas } from "../../api/type.ts";

const pause = 250; // milliseconds after the last key until a formula is checked

export type Checked = Schemas["FormulaChecked"];

export type FormulaCheck = {
  /** The formula that was last checked, and what the service says of it. */
  formula: string;
  answer?: Checked;
  /** Why it could not be checked. */
  failure?: Problem;
};

/**
 * Has the service check a formula as it is written. What it says of a formula that has changed since
 * is dropped, in whatever order its answers come.
 */
export function useFormulaCheck(tableId: string, fieldId: string | undefined, formula: string): FormulaCheck {
  const [check, setCheck] = useState<FormulaCheck>({ formula: "" });
  const empty = formula.trim() === "";
  useEffect(() => {
    if (empty) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const timer = setTimeout(() => {
      const body = { formula, ...(fieldId === undefined ? {} : { fieldId }) };
      checkFormula({ tableId, body }, { signal }).then(
        (answer) => !signal.aborted && setCheck({ formula, answer }),
        (error: unknown) => !signal.aborted && setCheck({ formula, failure: Problem.from(error) }),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [empty, fieldId, formula, tableId]);
  return empty ? { formula } : check;
}
