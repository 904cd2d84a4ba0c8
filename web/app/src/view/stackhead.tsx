import { Check, Ellipsis, Gauge, Plus } from "lucide-react";
import { useState } from "react";
import type { Field, Table, View } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import type { StackColumn } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { functionsOf } from "../field/summary.ts";
import { useBoardText } from "../text/board.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import { Menu, MenuHeading, MenuItem } from "../ui/menu.tsx";
import { limited, readLimit, stackLimit } from "./stacklimit.ts";
import type { StackTotal } from "./stacktotal.ts";
import { canSaveView, type ViewState } from "./state.ts";

type Props = {
  table: Table;
  view: View;
  state: ViewState;
  stack: Field;
  column: StackColumn;
  count: number;
  totals: StackTotal[];
  /** Makes a card in the column; undefined for those who may not. */
  onAdd: (() => void) | undefined;
};

/** The head of a board's column: what it is called, how many cards it has of how many, and their sums. */
export function StackHead({ table, view, state, stack, column, count, totals, onAdd }: Props) {
  const text = useText();
  const t = useBoardText();
  const { role } = useBase();
  const [asked, setAsked] = useState(false);
  const limit = stackLimit(state.config, stack, column);
  const over = limit !== undefined && count > limit;
  const summed = table.fields.filter((field) => functionsOf(field).includes("sum"));
  const chosen = summed.find((field) => state.config.aggregates?.[field.id] === "sum");
  // All columns sum up the same field, one at a time.
  const sum = (field: Field | undefined) => {
    const others = Object.entries(state.config.aggregates ?? {}).filter(([, name]) => name !== "sum");
    state.set({ aggregates: { ...Object.fromEntries(others), ...(field && { [field.id]: "sum" }) } });
  };
  return (
    <header className="shrink-0 pb-1">
      <div className="flex h-11 items-center gap-2 pr-1.5 pl-3">
        <h2 className="tone" data-tone={column.tone}>
          {column.label}
        </h2>
        <span
          className={join("flex-1 text-[13px] tabular-nums", over ? "font-[560] text-danger" : "text-faint")}
          title={over ? t.over : undefined}
        >
          {limit === undefined ? (
            count
          ) : (
            <>
              <span aria-hidden>{`${count}/${limit}`}</span>
              <span className="sr-only">{`${t.counted(count, limit)}${over ? `. ${t.over}` : ""}`}</span>
            </>
          )}
        </span>
        {onAdd && (
          <IconButton size="sm" label={`${text.view.addCard}: ${column.label}`} onClick={onAdd}>
            <Plus size={15} aria-hidden />
          </IconButton>
        )}
        {canSaveView(role, view) && (
          <Menu
            align="end"
            trigger={
              <IconButton size="sm" label={t.column(column.label)}>
                <Ellipsis size={15} aria-hidden />
              </IconButton>
            }
          >
            <MenuItem icon={<Gauge size={15} />} onSelect={() => setAsked(true)}>
              {limit === undefined ? t.limit : t.changeLimit}
            </MenuItem>
            {summed.length > 0 && <MenuHeading>{t.sum}</MenuHeading>}
            {summed.length > 0 && (
              <MenuItem hint={!chosen && <Check size={15} />} onSelect={() => sum(undefined)}>
                {t.none}
              </MenuItem>
            )}
            {summed.map((field) => {
              const Symbol = kindOf(field.type).icon;
              return (
                <MenuItem
                  key={field.id}
                  icon={<Symbol size={15} />}
                  hint={field === chosen && <Check size={15} />}
                  onSelect={() => sum(field)}
                >
                  {field.name}
                </MenuItem>
              );
            })}
          </Menu>
        )}
      </div>
      {totals.map(({ field, name, value }) => (
        <p key={field.id} className="flex gap-1.5 px-3 pb-1 text-[13px] text-muted">
          <span className="truncate">{`${name} · ${field.name}`}</span>
          <span className="ml-auto text-ink tabular-nums">{value}</span>
        </p>
      ))}
      <Dialog open={asked} onClose={() => setAsked(false)} title={t.limitTitle(column.label)}>
        <LimitForm
          limit={limit}
          onClose={() => setAsked(false)}
          onSave={(next) => state.set({ stackLimits: limited(state.config, stack, column, next) })}
        />
      </Dialog>
    </header>
  );
}

type LimitProps = { limit: number | undefined; onClose: () => void; onSave: (limit: number | undefined) => void };

function LimitForm({ limit, onClose, onSave }: LimitProps) {
  const text = useText();
  const t = useBoardText();
  const [entry, setEntry] = useState(limit === undefined ? "" : String(limit));
  const [wrong, setWrong] = useState(false);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const read = readLimit(entry);
        if (read === null) return setWrong(true);
        onSave(read);
        onClose();
      }}
    >
      <Row label={t.limitLabel} hint={t.limitHint} error={wrong ? t.limitWrong : undefined}>
        {(at) => (
          <Input
            {...at}
            inputMode="numeric"
            autoComplete="off"
            value={entry}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setEntry(event.target.value);
              setWrong(false);
            }}
          />
        )}
      </Row>
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary">
          {text.action.save}
        </Button>
      </div>
    </form>
  );
}
