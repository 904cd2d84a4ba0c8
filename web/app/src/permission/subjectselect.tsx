import { usePermissionText } from "../text/permission.ts";
import { Select } from "../ui/form.tsx";
import type { Subject } from "./subject.ts";

type Props = {
  label: string;
  /** What stands in the control while nobody is chosen. */
  none: string;
  subjects: readonly Subject[];
  value?: string;
  className?: string;
  onChange: (id: string) => void;
};

/** A choice of one person or group. */
export function SubjectSelect({ label, none, subjects, value = "", className, onChange }: Props) {
  const t = usePermissionText();
  const groups = subjects.filter((one) => one.kind === "group");
  const people = subjects.filter((one) => one.kind === "person");
  return (
    <Select aria-label={label} className={className} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{none}</option>
      {groups.length > 0 && (
        <optgroup label={t.groups}>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {people.length > 0 && (
        <optgroup label={t.members}>
          {people.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {`${name} (${email})`}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  );
}
