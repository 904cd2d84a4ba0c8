import { useEffect, useMemo, useState } from "react";
import { Problem } from "../../api/problem.ts";
import { checkFormula } from "../../api/read.ts";
import type { Body, Schemas } from "../../api/type.ts";

const pause = 250; // milliseconds after the last key until a formula is checked

export type Checked = Schemas["FormulaChecked"];

export type FormulaCheck = {
  /** The formula that was last checked, and what the service says of it. */
  formula: string;
  answer?: Checked;
  /** Why it could not be checked. */
  failure?: Problem;
};

/** A computed field that is not saved yet. */
export type Draft = Body<"check_formula">;

type DraftCheck = { draft?: Draft; answer?: Checked; failure?: Problem };

const none: DraftCheck = {};

/**
 * Has the service check a computed field as it is written. What it says of a draft that has changed
 * since is dropped, in whatever order its answers come.
 */
export function useDraftCheck(tableId: string, draft: Draft | undefined): DraftCheck {
  const [check, setCheck] = useState<DraftCheck>({});
  const sent = draft && JSON.stringify(draft);
  useEffect(() => {
    if (sent === undefined) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const timer = setTimeout(() => {
      const body = JSON.parse(sent) as Draft;
      checkFormula({ tableId, body }, { signal }).then(
        (answer) => !signal.aborted && setCheck({ draft: body, answer }),
        (error: unknown) => !signal.aborted && setCheck({ draft: body, failure: Problem.from(error) }),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [sent, tableId]);
  return sent === undefined ? none : check;
}

/** Has the service check a formula as it is written. */
export function useFormulaCheck(tableId: string, fieldId: string | undefined, formula: string): FormulaCheck {
  const empty = formula.trim() === "";
  const check = useDraftCheck(tableId, empty ? undefined : { formula, ...(fieldId === undefined ? {} : { fieldId }) });
  return useMemo(() => {
    const { draft, ...found } = check;
    return { formula: empty ? formula : (draft?.formula ?? ""), ...found };
  }, [check, empty, formula]);
}
