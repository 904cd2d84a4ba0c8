import { useFormulaText } from "../../text/formula.ts";
import { Row, Select } from "../../ui/form.tsx";
import { CurrencyConfig, NumberConfig } from "../config/panel.tsx";
import type { ConfigProps } from "../kind.ts";

type Props = ConfigProps & {
  /** How numbers are shown that have no format of their own. */
  usual: string;
};

/** Chooses how computed numbers are shown, which changes nothing about them. */
export function NumbersConfig({ usual, ...props }: Props) {
  const { config, onChange, limits } = props;
  const t = useFormulaText();
  return (
    <>
      <Row label={t.format}>
        {(at) => (
          <Select
            {...at}
            value={config.format ?? ""}
            onChange={(event) => onChange({ format: event.target.value || undefined })}
          >
            <option value="">{usual}</option>
            {(limits.format?.enum ?? [])
              .filter((name) => t.formats[name] !== usual)
              .map((name) => (
                <option key={name} value={name}>
                  {t.formats[name] ?? name}
                </option>
              ))}
          </Select>
        )}
      </Row>
      {config.format === "currency" && <CurrencyConfig {...props} />}
      {config.format !== "currency" && config.format !== "duration" && <NumberConfig {...props} />}
    </>
  );
}
