import type { ReactNode } from "react";
import { useLocale } from "../../locale/locale.ts";
import { useText } from "../../text/index.ts";
import { Checkbox, Input, Row, Select } from "../../ui/form.tsx";
import { dateFormats, datePattern, timeFormats } from "../date.ts";
import { writeNumber } from "../format.ts";
import type { ConfigProps, Limits } from "../kind.ts";
import { styleOf } from "../number.ts";
import { OptionList } from "./options.tsx";

// The settings that each kind of field has in addition to the common ones: its part of the dialog
// of a field.

type ChoiceProps<Key> = { label: string; value: Key; keys: readonly Key[]; children?: (key: Key) => ReactNode };

/** A choice of a few, by name or number. */
function Choice<Key extends string | number>(props: ChoiceProps<Key> & { onChange: (key: Key) => void }) {
  const { label, value, keys, onChange, children } = props;
  const choose = (chosen: string) => {
    const key = keys.find((one) => String(one) === chosen);
    if (key !== undefined) onChange(key);
  };
  return (
    <Row label={label}>
      {(at) => (
        <Select {...at} value={value} onChange={(event) => choose(event.target.value)}>
          {keys.map((key) => (
            <option key={key} value={key}>
              {children?.(key) ?? key}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}

/** The whole numbers that a key can have. */
function numbersOf({ minimum = 0, maximum = 0 }: Limits = {}): number[] {
  return Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index);
}

/** How many digits stand after the decimal sign. */
function PrecisionConfig({ config, onChange, limits }: ConfigProps) {
  const t = useText().field;
  const choose = (digits: string) => onChange({ precision: digits === "" ? undefined : Number(digits) });
  return (
    <Row label={t.precision}>
      {(at) => (
        <Select {...at} value={config.precision ?? ""} onChange={(event) => choose(event.target.value)}>
          <option value="">–</option>
          {numbersOf(limits.precision).map((digits) => (
            <option key={digits} value={digits}>
              {digits}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}

const negatives = ["minus", "parentheses", "red", "red_parentheses"] as const;

/** How a number is written: its decimals, groups of digits, and what is below zero. */
export function NumberConfig(props: ConfigProps & { grouped?: boolean }) {
  const t = useText().field;
  const { config, onChange, grouped = false } = props;
  const style = styleOf(useLocale().tag);
  const sample = (negative: string) => {
    const shown = { thousands: config.thousands, negative };
    return writeNumber(-1234, shown, style, { grouped });
  };
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <PrecisionConfig {...props} />
        <Choice
          label={t.negative}
          value={config.negative ?? "minus"}
          keys={negatives}
          onChange={(negative) => onChange({ negative })}
        >
          {(key) => t.negatives(sample(key), key.startsWith("red"))}
        </Choice>
      </div>
      <ThousandsConfig {...props} />
    </>
  );
}

/** Whether the thousands of a number are set apart. */
export function ThousandsConfig({ config, onChange, grouped = false }: ConfigProps & { grouped?: boolean }) {
  const t = useText().field;
  const style = styleOf(useLocale().tag);
  return (
    <Checkbox
      label={t.thousands(writeNumber(1234567, { thousands: true }, style))}
      checked={config.thousands ?? grouped}
      onChange={(thousands) => onChange({ thousands })}
    />
  );
}

export function CurrencyConfig(props: ConfigProps) {
  const t = useText().field;
  const { config, onChange, limits } = props;
  return (
    <>
      <Row label={t.symbol}>
        {(at) => (
          <Input
            {...at}
            maxLength={limits.symbol?.maxLength}
            value={config.symbol ?? "$"}
            onChange={(event) => onChange({ symbol: event.target.value })}
          />
        )}
      </Row>
      <NumberConfig {...props} grouped />
    </>
  );
}

export function RatingConfig({ config, onChange, limits }: ConfigProps) {
  const t = useText().field;
  const keys = numbersOf(limits.max);
  return <Choice label={t.max} value={config.max ?? 5} keys={keys} onChange={(max) => onChange({ max })} />;
}

export function DurationConfig({ config, onChange, limits }: ConfigProps) {
  const t = useText().field;
  const keys = limits.format?.enum ?? [];
  const value = config.format ?? "h:mm";
  return <Choice label={t.format} value={value} keys={keys} onChange={(format) => onChange({ format })} />;
}

export function LongTextConfig({ config, onChange, limits }: ConfigProps) {
  const t = useText().field;
  const keys = limits.format?.enum ?? [];
  const value = config.format ?? "plain";
  return (
    <Choice label={t.format} value={value} keys={keys} onChange={(format) => onChange({ format })}>
      {(key) => t.textFormats[key]}
    </Choice>
  );
}

export function DateConfig({ config, onChange }: ConfigProps) {
  const t = useText().field;
  const locale = useLocale();
  const value = config.dateFormat ?? "iso";
  return (
    <Choice label={t.dateFormat} value={value} keys={dateFormats} onChange={(dateFormat) => onChange({ dateFormat })}>
      {(key) => datePattern(key, locale)}
    </Choice>
  );
}

export function TimestampConfig(props: ConfigProps) {
  const t = useText().field;
  const { config, onChange } = props;
  const value = config.timeFormat ?? "24h";
  const keys = Object.keys(timeFormats);
  return (
    <>
      <DateConfig {...props} />
      <div className="grid grid-cols-2 gap-2">
        <Choice label={t.timeFormat} value={value} keys={keys} onChange={(timeFormat) => onChange({ timeFormat })}>
          {(key) => timeFormats[key]}
        </Choice>
        <Row label={t.timeZone}>
          {(at) => (
            <Select
              {...at}
              value={config.timeZone ?? ""}
              onChange={(event) => onChange({ timeZone: event.target.value || undefined })}
            >
              <option value="">{t.timeZoneOfBase}</option>
              <option>UTC</option>
              {Intl.supportedValuesOf("timeZone")
                .filter((zone) => zone !== "UTC")
                .map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </Select>
          )}
        </Row>
      </div>
    </>
  );
}

export function OptionsConfig({ config, onChange, retyped }: ConfigProps) {
  const t = useText().field;
  const options = config.options ?? [];
  const hint = retyped && options.length === 0 ? t.optionsFromValues : undefined;
  return <OptionList options={options} onChange={(next) => onChange({ options: next })} hint={hint} />;
}

export function UserConfig({ config, onChange }: ConfigProps) {
  const t = useText().field;
  const several = config.multiple ?? false;
  return <Checkbox checked={several} onChange={(multiple) => onChange({ multiple })} label={t.multipleUsers} />;
}

export function LinkConfig({ config, onChange, field, tables }: ConfigProps) {
  const t = useText().field;
  const several = config.multiple ?? true;
  return (
    <>
      <Row label={t.linkedTable} hint={field ? undefined : t.linkHint}>
        {(at) => (
          <Select
            {...at}
            disabled={field !== undefined}
            value={config.linkedTableId ?? ""}
            onChange={(event) => onChange({ linkedTableId: event.target.value })}
          >
            <option value="" disabled>
              {t.choose}
            </option>
            {tables.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </Select>
        )}
      </Row>
      <Checkbox checked={several} onChange={(multiple) => onChange({ multiple })} label={t.multiple} />
    </>
  );
}

export function ButtonConfig({ config, onChange, limits }: ConfigProps) {
  const t = useText().field;
  return (
    <>
      <Row label={t.label}>
        {(at) => (
          <Input
            {...at}
            maxLength={limits.label?.maxLength}
            value={config.label ?? ""}
            onChange={(event) => onChange({ label: event.target.value })}
          />
        )}
      </Row>
      <Row label={t.url} hint={t.urlHint}>
        {(at) => (
          <Input
            {...at}
            maxLength={limits.url?.maxLength}
            placeholder="https://"
            value={config.url ?? ""}
            onChange={(event) => onChange({ url: event.target.value })}
          />
        )}
      </Row>
    </>
  );
}
