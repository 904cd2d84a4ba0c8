import type { FormFiles } from "../api/type.ts";
import { useFormText } from "../text/form.ts";
import { Input, Row, Select } from "../ui/form.tsx";

/** The types of files that can be chosen, as media types. */
const [image, pdf] = ["image/*", "application/pdf"];
const choices = { any: [], images: [image], pdf: [pdf], imagesAndPDF: [image, pdf] };
type Choice = keyof typeof choices;

const standard = 5; // the service's, where a form says nothing

type Props = { files: FormFiles | undefined; onChange: (files: FormFiles) => void };

/** Which files a question takes, and how many. */
export function FormFileSettings({ files = {}, onChange }: Props) {
  const t = useFormText().files;
  const { max, types = [] } = files;
  const chosen = (Object.keys(choices) as Choice[]).find((one) => choices[one].join() === types.join());
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Row label={t.types}>
        {(at) => (
          <Select
            {...at}
            value={chosen ?? "own"}
            onChange={({ target: { value } }) => onChange({ ...files, types: choices[value as Choice] ?? types })}
          >
            {(Object.keys(choices) as Choice[]).map((one) => (
              <option key={one} value={one}>
                {t[one]}
              </option>
            ))}
            {chosen === undefined && <option value="own">{t.own}</option>}
          </Select>
        )}
      </Row>
      <Row label={t.most}>
        {(at) => (
          <Input
            {...at}
            type="number"
            min={1}
            max={10}
            step={1}
            placeholder={String(standard)}
            value={max ?? ""}
            onChange={({ target: { value } }) => onChange({ ...files, max: value === "" ? undefined : Number(value) })}
          />
        )}
      </Row>
    </div>
  );
}
