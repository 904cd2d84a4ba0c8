import { useText } from "../../text/index.ts";
import { join } from "../../ui/class.ts";
import { Input, Select } from "../../ui/form.tsx";
import type { OperandProps } from "./props.ts";
import { lastWeek, type Relative } from "./start.ts";

const isRelative = (value: unknown): value is Relative =>
  typeof value === "object" && value !== null && "unit" in value && "offset" in value;

const named = ["today", "yesterday", "tomorrow"] as const;
const units = ["day", "week", "month", "year"] as const;

const nextWeek: Relative = { unit: "day", offset: 7 };

const atLeastOne = (entry: string) => Math.max(1, Number(entry) || 1);

export function TimeOperand(props: OperandProps) {
  return props.op === "is_within" ? <WithinOperand {...props} /> : <DayOperand {...props} />;
}

/** A date, or a day relative to today. */
function DayOperand({ value, lasting, onChange }: OperandProps) {
  const t = useText().filter;
  const day = named.find((one) => one === value);
  const mode = isRelative(value) ? (value.offset < 0 ? "ago" : "ahead") : (day ?? "exact");
  const choose = (next: string) =>
    onChange(next === "exact" ? undefined : next === "ago" ? lastWeek : next === "ahead" ? nextWeek : next);
  const input = (
    <Input
      type="date"
      aria-label={t.value}
      value={typeof value === "string" ? value.slice(0, 10) : ""}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  );
  if (lasting && mode === "exact") return input;
  return (
    <div className={join("grid gap-1.5", day === undefined && "grid-cols-2")}>
      <Select aria-label={t.value} value={mode} onChange={(event) => choose(event.target.value)}>
        <option value="exact">{t.relative.exact}</option>
        {named.map((one) => (
          <option key={one} value={one}>
            {t.relative[one]}
          </option>
        ))}
        <option value="ago">{t.relative.daysAgo}</option>
        <option value="ahead">{t.relative.daysAhead}</option>
      </Select>
      {mode === "exact" && input}
      {isRelative(value) && (
        <Input
          type="number"
          min={1}
          aria-label={t.days}
          value={Math.abs(value.offset)}
          onChange={(event) => {
            const days = atLeastOne(event.target.value);
            onChange({ unit: "day", offset: mode === "ago" ? -days : days });
          }}
        />
      )}
    </div>
  );
}

/** A span of time that ends or begins today. */
function WithinOperand({ value, onChange }: OperandProps) {
  const t = useText().filter;
  const now = isRelative(value) ? value : lastWeek;
  const amount = Math.abs(now.offset);
  const sign = now.offset < 0 ? -1 : 1;
  return (
    <div className="grid grid-cols-[1fr_0.7fr_1fr] gap-1.5">
      <Select
        aria-label={t.direction}
        value={sign}
        onChange={(event) => onChange({ ...now, offset: Number(event.target.value) * amount })}
      >
        <option value={-1}>{t.within.past}</option>
        <option value={1}>{t.within.next}</option>
      </Select>
      <Input
        type="number"
        min={1}
        aria-label={t.value}
        value={amount}
        onChange={(event) => onChange({ ...now, offset: sign * atLeastOne(event.target.value) })}
      />
      <Select
        aria-label={t.value}
        value={now.unit}
        onChange={(event) => onChange({ ...now, unit: event.target.value })}
      >
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {t.unit[unit]}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** Two dates, the first and the last. */
export function TimeRangeOperand({ value, onChange }: OperandProps) {
  const t = useText().filter;
  const [from = "", to = ""] = Array.isArray(value) ? (value as string[]) : [];
  return (
    <div className="grid grid-cols-2 gap-1.5">
      <Input type="date" aria-label={t.from} value={from} onChange={(event) => onChange([event.target.value, to])} />
      <Input type="date" aria-label={t.to} value={to} onChange={(event) => onChange([from, event.target.value])} />
    </div>
  );
}
