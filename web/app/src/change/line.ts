import type { ChangeSet } from "../api/type.ts";

/**
 * A person's change sets in a base, newest first, as far as they were read. Undo and redo follow
 * only from them, so they do the same after a reload and in another tab.
 */
export type Line = {
  sets: readonly ChangeSet[];
  /** There are no older ones. */
  ended: boolean;
};

/** The change set that is reverted next; "unread" asks for older ones. */
export type Next = ChangeSet | "unread" | undefined;

type Kind = "change" | "undo" | "redo";

/**
 * The kind of a change set. A revert of one change or redo of the person's own is an undo, and a
 * revert of an undo is a redo. Any other revert is a change, which undo reverts.
 */
function kindsOf({ sets, ended }: Line): (set: ChangeSet) => Kind | "unread" {
  const byId = new Map(sets.map((set) => [set.id, set]));
  const known = new Map<string, Kind | "unread">();
  const kindOf = (set: ChangeSet): Kind | "unread" => {
    const [target, ...others] = set.reverts;
    if (target === undefined || others.length > 0) return "change";
    const own = byId.get(target);
    if (!own) return ended ? "change" : "unread";
    let kind = known.get(own.id);
    if (kind === undefined) known.set(own.id, (kind = kindOf(own)));
    return kind === "unread" ? kind : kind === "undo" ? "redo" : "undo";
  };
  return kindOf;
}

/** The ids of the change sets that another one, of the line or of somebody else, reverts. */
function reverted(sets: readonly ChangeSet[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set.reverts, ...(set.revertedBy.length > 0 ? [set.id] : [])]));
}

/** The change or redo that undo reverts: the last that was not reverted. */
export function nextUndo(line: Line, spent: ReadonlySet<string>): Next {
  const [kindOf, gone] = [kindsOf(line), reverted(line.sets)];
  for (const set of line.sets) {
    if (gone.has(set.id) || spent.has(set.id)) continue;
    const kind = kindOf(set);
    if (kind === "unread") return kind;
    if (kind !== "undo") return set;
  }
  return line.ended ? undefined : "unread";
}

/** The undo that redo reverts: the last that was not reverted, unless a change came after it. */
export function nextRedo(line: Line, spent: ReadonlySet<string>): Next {
  const [kindOf, gone] = [kindsOf(line), reverted(line.sets)];
  for (const set of line.sets) {
    const kind = kindOf(set);
    if (kind === "unread") return kind;
    if (kind === "change") return undefined;
    if (kind === "undo" && !gone.has(set.id) && !spent.has(set.id)) return set;
  }
  return line.ended ? undefined : "unread";
}
