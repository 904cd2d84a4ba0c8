import type { ColorRule, Field, View } from "../api/type.ts";
import { countLeaves, ready } from "../filter/op.ts";
import { tones } from "../ui/tone.ts";

export const maxColorRules = 20;

/** A rule that is being written, and what is saved of it. A broken one no longer fits the fields. */
export type RuleDraft = { key: string; rule: ColorRule; saved?: ColorRule; broken?: boolean };

/** Reports whether all conditions of a rule are complete. */
export const isComplete = ({ filters }: ColorRule, fields: Field[]) =>
  countLeaves(ready(filters, fields)) === countLeaves(filters);

/** Rules with what is to be saved of each, as it was last complete. */
export function settled(drafts: readonly RuleDraft[], fields: Field[]): RuleDraft[] {
  return drafts.map((draft) =>
    draft.broken || !isComplete(draft.rule, fields) ? draft : { ...draft, saved: draft.rule },
  );
}

/** The drafts of saved rules. The service takes none that is broken. */
export function draftsOf({ config, problems = [] }: View): RuleDraft[] {
  return (config.colorRules ?? []).map((rule, index) => {
    const broken = problems.some(({ path }) => path.startsWith(`config.colorRules[${index}]`));
    return { key: crypto.randomUUID(), rule, saved: broken ? undefined : rule, broken };
  });
}

export const savedRules = (drafts: readonly RuleDraft[]): ColorRule[] => drafts.flatMap(({ saved }) => saved ?? []);

/** The first colour that no rule has yet. Gray comes last, because it stands out least. */
export function freeColor(drafts: readonly RuleDraft[]): string {
  const taken = new Set(drafts.map(({ rule }) => rule.color));
  return [...tones.slice(1), tones[0]].find((tone) => !taken.has(tone)) ?? tones[1];
}
