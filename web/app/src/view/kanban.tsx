import { ArrowDown, ArrowLeftRight, ArrowUp } from "lucide-react";
import { type DragEvent, useState } from "react";
import type { Row } from "../api/type.ts";
import { useBase, useRights } from "../access/base.ts";
import type { StackColumn } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { likeOf } from "../field/result.ts";
import { format, isWritable } from "../field/value.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Menu, MenuHeading, MenuItem } from "../ui/menu.tsx";
import { Empty } from "../ui/state.tsx";
import { Card } from "./card.tsx";
import type { RecordViewProps } from "./contract.ts";
import { choices, chosenField, stackField } from "./fieldsetting.ts";
import { useLoadedRows } from "./loadedrows.ts";
import { type Destination, isMovable, moveTo } from "./order.ts";
import { StackHead } from "./stackhead.tsx";
import { stackTotals, useStackTotals } from "./stacktotal.ts";
import { useRowTone } from "./tone.ts";

const maxCards = 1000;

// A line where a dragged card would go.
const above = "-mt-1.5 border-t-2 border-(--ring) pt-1";
const below = "-mb-1.5 border-b-2 border-(--ring) pb-1";

/** Where a card goes that is over another one: before it above its middle, and behind it below. */
function placeOf({ target, clientY }: DragEvent): Destination | undefined {
  const card = (target as Element).closest<HTMLElement>("[data-card]");
  if (!card?.dataset.card) return undefined;
  const { top, height } = card.getBoundingClientRect();
  return { near: card.dataset.card, behind: clientY > top + height / 2 };
}

/**
 * Cards in columns, one for each value of a field. A card moves by dragging it, or with the menu on
 * it.
 */
export function KanbanView({ table, view, state, source, onOpen, onCreate }: RecordViewProps) {
  const text = useText();
  const t = text.view;
  const gridText = useGridText();
  const { people } = useBase();
  const rights = useRights(table);
  const rows = useLoadedRows(source, maxCards);
  const toneOf = useRowTone(source, state);
  // The card that is dragged, and the column that it is dragged from: a card of several people
  // stands in the column of each.
  const [moving, setMoving] = useState<{ id: string; from: string }>();
  const [over, setOver] = useState<string>();
  const [place, setPlace] = useState<Destination>(); // next to which card it would go
  const [said, setSaid] = useState("");
  const fields = choices(stackField, table);
  const stack = chosenField(stackField, table, state.config);
  const stacked = stack && kindOf(likeOf(stack).type).stack;
  // The column of a card that is computed is not chosen.
  const writable = stack !== undefined && isWritable(stack);
  const [canMove, canAdd] = [rights.edit && writable, rights.create && writable];
  const primary = table.fields.find((field) => field.isPrimary);
  const nameOf = (row: Row) =>
    (primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled;

  const values = stack ? rows.map((row) => row.fields[stack.name]) : [];
  const { none = undefined, named = [] } = (stack && stacked?.columns(stack, people, values)) ?? {};
  const columns: StackColumn[] = none ? [none, ...named] : named;
  const ordered = canMove && isMovable(table, view, state.sorts);
  const move = (row: Row, from: string, to: StackColumn, changeSet?: string) => {
    if (!stack || from === to.id) return;
    const value = stacked?.move ? stacked.move(stack, row.fields[stack.name], from, to) : to.value;
    source.edit([{ row, fields: { [stack.id]: value } }], changeSet);
    setSaid(t.moved(nameOf(row), to.label));
  };
  const drop = (event: DragEvent, column: StackColumn) => {
    event.preventDefault();
    const row = rows.find((one) => one.id === moving?.id);
    if (row && moving) {
      const changeSet = crypto.randomUUID();
      const last = cardsOf(column).findLast(({ id }) => id !== row.id);
      const near = placeOf(event) ?? (last && { near: last.id, behind: true });
      move(row, moving.from, column, changeSet);
      if (ordered && near && near.near !== row.id) void moveTo(view, source, [row.id], near, changeSet);
    }
    setMoving(undefined);
    setOver(undefined);
    setPlace(undefined);
  };
  const cardsOf = (column: StackColumn) =>
    stack ? rows.filter((row) => stacked?.idsOf(row.fields[stack.name]).includes(column.id)) : [];
  // The board keeps its columns while a card is dragged. Where there is something to move, "no
  // value" is one of them: behind the others while it is empty, as nothing in it asks for
  // attention.
  const emptyNone = none !== undefined && cardsOf(none).length === 0;
  const board = !emptyNone ? columns : canMove ? [...named, none] : named;
  const shown = state.visible.filter((field) => field.id !== stack?.id);
  const { aggregates } = state.config;
  const totals = useStackTotals(source, stack, stacked?.idsOf, state.ordered, aggregates);
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {!stack ? (
        <Empty title={t.needSelect} body={fields.length > 0 ? t.stackNone : undefined} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col bg-canvas">
          {(source.total ?? 0) > maxCards && <p className="px-4 pt-3 text-[13px] text-muted">{t.tooMany(maxCards)}</p>}
          <div className="flex min-h-0 flex-1 gap-3 overflow-x-auto p-4">
            {board.map((column) => {
              const cards = cardsOf(column);
              return (
                // Dragging is a second way; the menu on each card moves it by keyboard.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
                <section
                  key={column.id}
                  aria-label={column.label}
                  onDragOver={(event) => {
                    event.preventDefault();
                    setOver(column.id);
                    const next = ordered ? placeOf(event) : undefined;
                    if (next?.near !== place?.near || next?.behind !== place?.behind) setPlace(next);
                  }}
                  onDragLeave={() => setOver(undefined)}
                  onDrop={(event) => drop(event, column)}
                  className={join(
                    "flex w-72 shrink-0 flex-col rounded-xl bg-sunken",
                    over === column.id && moving && "outline-2 outline-(--ring)",
                  )}
                >
                  <StackHead
                    table={table}
                    view={view}
                    state={state}
                    stack={stack}
                    column={column}
                    count={cards.length}
                    totals={stackTotals(state.ordered, aggregates, totals?.get(column.id) ?? {}, people, gridText)}
                    onAdd={canAdd ? () => onCreate({ [stack.name]: column.value }) : undefined}
                  />
                  <ul className="flex min-h-16 flex-1 flex-col gap-2 overflow-y-auto px-2 pb-2">
                    {cards.map((row, index) => (
                      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
                      <li
                        key={row.id}
                        data-card={row.id}
                        draggable={canMove}
                        onDragStart={(event) => {
                          event.dataTransfer.effectAllowed = "move";
                          event.dataTransfer.setData("text/plain", nameOf(row));
                          setMoving({ id: row.id, from: column.id });
                        }}
                        onDragEnd={() => {
                          setMoving(undefined);
                          setPlace(undefined);
                        }}
                        className={join(
                          moving?.id === row.id && moving.from === column.id && "opacity-50",
                          moving && moving.id !== row.id && place?.near === row.id && (place.behind ? below : above),
                        )}
                      >
                        <Card row={row} fields={shown} tone={toneOf(row)} onOpen={() => onOpen(row.id)}>
                          {canMove && (
                            <Menu
                              align="end"
                              trigger={
                                <IconButton size="sm" label={t.moveCard(nameOf(row))}>
                                  <ArrowLeftRight size={14} aria-hidden />
                                </IconButton>
                              }
                            >
                              {ordered &&
                                ([-1, 1] as const).map((step) => {
                                  const near = cards[index + step];
                                  const to = near && { near: near.id, behind: step > 0 };
                                  return (
                                    <MenuItem
                                      key={step}
                                      icon={step < 0 ? <ArrowUp size={15} /> : <ArrowDown size={15} />}
                                      disabled={!to}
                                      onSelect={() => to && void moveTo(view, source, [row.id], to)}
                                    >
                                      {step < 0 ? t.moveUp : t.moveDown}
                                    </MenuItem>
                                  );
                                })}
                              <MenuHeading>{t.moveTo}</MenuHeading>
                              {columns.map((to) => (
                                <MenuItem
                                  key={to.id}
                                  disabled={to.id === column.id}
                                  onSelect={() => move(row, column.id, to)}
                                >
                                  {to.label}
                                </MenuItem>
                              ))}
                            </Menu>
                          )}
                        </Card>
                      </li>
                    ))}
                    {cards.length === 0 && canAdd && (
                      <li>
                        <Button
                          look="quiet"
                          className="w-full text-muted!"
                          onClick={() => onCreate({ [stack.name]: column.value })}
                        >
                          {t.addCard}
                        </Button>
                      </li>
                    )}
                  </ul>
                </section>
              );
            })}
          </div>
        </div>
      )}
    </>
  );
}
