import { ArrowLeftRight, Plus } from "lucide-react";
import { type DragEvent, useState } from "react";
import type { Field, Row } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import type { ViewProps } from "../base/table.tsx";
import { Toolbar } from "../base/toolbar.tsx";
import { format, optionsOf, optionTone, peopleOf, userValue } from "../field/value.ts";
import { NewRecord } from "../record/create.tsx";
import { text } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Menu, MenuHeading, MenuItem } from "../ui/menu.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { type Tone, toneOf } from "../ui/tone.ts";
import { Card } from "./cards.tsx";
import { FieldChoice } from "./setting.tsx";
import { useAllRows } from "./use.ts";

const t = text.view;
const most = 1000;
const stackable = ["single_select", "user", "checkbox"];

export type Column = { id: string; label: string; tone: Tone; value: unknown };

/** Cards in columns, one for each value of a field. A card moves by dragging it, or with the menu on it. */
export function KanbanView({ table, view, state, onOpen }: ViewProps) {
  const { canWrite, people } = useOpened();
  const { source, rows, status, search, setSearch } = useAllRows(table, state, most);
  const [creating, setCreating] = useState<Column>();
  // The card that is dragged, and the column that it is dragged from: a card of several people stands in the column of
  // each.
  const [moving, setMoving] = useState<{ id: string; from: string }>();
  const [over, setOver] = useState<string>();
  const [said, setSaid] = useState("");
  const fields = table.fields.filter((field) => stackable.includes(field.type));
  const stack = fields.find((field) => field.id === state.config.stackFieldId);
  const primary = table.fields.find((field) => field.isPrimary);
  const nameOf = (row: Row) => (primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled;

  const columns: Column[] = !stack ? [] : columnsOf(stack, people.people, rows);
  const move = (row: Row, from: string, to: Column) => {
    if (!stack || from === to.id) return;
    source.edit([{ row, fields: { [stack.id]: movedValue(stack, row.fields[stack.name], from, to) } }]);
    setSaid(t.moved(nameOf(row), to.label));
  };
  const drop = (event: DragEvent, column: Column) => {
    event.preventDefault();
    const row = rows.find((one) => one.id === moving?.id);
    if (row && moving) move(row, moving.from, column);
    setMoving(undefined);
    setOver(undefined);
  };
  const cardsOf = (column: Column) =>
    stack ? rows.filter((row) => columnIdsOf(stack, row.fields[stack.name]).includes(column.id)) : [];
  // The board keeps its columns while a card is dragged. Where there is something to move, "no value" is one of them:
  // behind the others while it is empty, as nothing in it asks for attention.
  const [none, ...named] = columns;
  const emptyNone = none !== undefined && stack?.type !== "checkbox" && cardsOf(none).length === 0;
  const board = !emptyNone ? columns : canWrite ? [...named, none] : named;
  const shown = state.visible.filter((field) => field.id !== stack?.id);
  return (
    <>
      <Toolbar table={table} view={view} state={state} status={status} total={source.total} search={search} onSearch={setSearch}>
        <FieldChoice label={t.stack} fields={fields} value={stack?.id} onChange={(stackFieldId) => state.set({ stackFieldId })} />
      </Toolbar>
      <p role="status" className="sr-only">
        {said}
      </p>
      {!stack ? (
        <Empty title={t.needSelect} body={fields.length > 0 ? t.stackNone : undefined} />
      ) : source.problem && source.total === undefined ? (
        <Failed error={source.problem} retry={() => source.refresh()} />
      ) : source.total === undefined ? (
        <Waiting />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col bg-canvas">
          {source.total > most && <p className="px-4 pt-3 text-[13px] text-muted">{t.tooMany(most)}</p>}
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
                  }}
                  onDragLeave={() => setOver(undefined)}
                  onDrop={(event) => drop(event, column)}
                  className={join("flex w-72 shrink-0 flex-col rounded-xl bg-sunken", over === column.id && moving && "outline-2 outline-(--ring)")}
                >
                  <header className="flex h-11 shrink-0 items-center gap-2 pr-1.5 pl-3">
                    <h2 className="tone" data-tone={column.tone}>
                      {column.label}
                    </h2>
                    <span className="flex-1 text-[13px] text-faint tabular-nums">{cards.length}</span>
                    {canWrite && (
                      <IconButton size="sm" label={`${t.addCard}: ${column.label}`} onClick={() => setCreating(column)}>
                        <Plus size={15} aria-hidden />
                      </IconButton>
                    )}
                  </header>
                  <ul className="flex min-h-16 flex-1 flex-col gap-2 overflow-y-auto px-2 pb-2">
                    {cards.map((row) => (
                      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
                      <li
                        key={row.id}
                        draggable={canWrite}
                        onDragStart={(event) => {
                          event.dataTransfer.effectAllowed = "move";
                          event.dataTransfer.setData("text/plain", nameOf(row));
                          setMoving({ id: row.id, from: column.id });
                        }}
                        onDragEnd={() => setMoving(undefined)}
                        className={join(moving?.id === row.id && moving.from === column.id && "opacity-50")}
                      >
                        <Card row={row} fields={shown} onOpen={() => onOpen(row.id)}>
                          {canWrite && (
                            <Menu
                              align="end"
                              trigger={
                                <IconButton size="sm" label={t.moveCard(nameOf(row))}>
                                  <ArrowLeftRight size={14} aria-hidden />
                                </IconButton>
                              }
                            >
                              <MenuHeading>{t.moveTo}</MenuHeading>
                              {columns.map((to) => (
                                <MenuItem key={to.id} disabled={to.id === column.id} onSelect={() => move(row, column.id, to)}>
                                  {to.label}
                                </MenuItem>
                              ))}
                            </Menu>
                          )}
                        </Card>
                      </li>
                    ))}
                    {cards.length === 0 && canWrite && (
                      <li>
                        <Button look="quiet" className="w-full text-muted!" onClick={() => setCreating(column)}>
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
      {creating && stack && (
        <NewRecord
          table={table}
          fields={state.ordered}
          start={{ [stack.name]: creating.value }}
          onClose={() => setCreating(undefined)}
          onMade={() => source.refresh(0, most - 1)}
        />
      )}
    </>
  );
}

/** The columns that a card stands in. */
export function columnIdsOf(stack: Field, value: unknown): string[] {
  if (stack.type === "checkbox") return [value === true ? "true" : ""];
  if (stack.type === "user") {
    const ids = peopleOf(value, { people: [] }).map((person) => person.id);
    return ids.length > 0 ? ids : [""];
  }
  return [typeof value === "string" ? value : ""];
}

/** The value of a card that was moved: in a field of several people, only the person of its old column is replaced. */
export function movedValue(stack: Field, value: unknown, from: string, to: Column): unknown {
  if (stack.type !== "user" || stack.config?.multiple !== true) return to.value;
  const ids = columnIdsOf(stack, value).map((id) => (id === from ? to.id : id));
  return userValue([...new Set(ids)].filter(Boolean), stack);
}

function columnsOf(stack: Field, people: { id: string; name: string }[], rows: Row[]): Column[] {
  const none: Column = { id: "", label: t.uncategorized, tone: "gray", value: null };
  if (stack.type === "checkbox") {
    return [
      { ...none, label: text.field.unchecked, value: false },
      { id: "true", label: text.field.checked, tone: "green", value: true },
    ];
  }
  if (stack.type === "user") {
    const known = new Set(people.map((person) => person.id));
    // Cards of people who have left the organization stay on the board.
    const chosen = rows.flatMap((row) => columnIdsOf(stack, row.fields[stack.name]));
    const former = new Set(chosen.filter((id) => id !== "" && !known.has(id)));
    const all = [...people, ...[...former].map((id) => ({ id, name: text.org.former }))];
    const columnOf = ({ id, name }: { id: string; name: string }): Column => ({ id, label: name, tone: toneOf(id), value: userValue([id], stack) });
    return [none, ...all.map(columnOf)];
  }
  return [none, ...optionsOf(stack).map((option): Column => ({ id: option.name, label: option.name, tone: optionTone(stack, option.name), value: option.name }))];
}
