import { Check, ChevronDown } from "lucide-react";
import type { Field } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import { Button } from "../ui/button.tsx";
import { Menu, MenuHeading, MenuItem } from "../ui/lazypopup.tsx";

type Props = {
  label: string;
  none?: string;
  fields: Field[];
  value: string | undefined;
  onChange: (fieldId: string | undefined) => void;
};

/** Chooses the field that a view is built on. */
export function FieldChoice({ label, none, fields, value, onChange }: Props) {
  const chosen = fields.find((field) => field.id === value);
  return (
    <Menu
      trigger={
        <Button size="sm" look="quiet" className="max-sm:order-2">
          <span className="text-muted max-sm:sr-only">{label}</span>
          {chosen?.name ?? none ?? "–"}
          <ChevronDown size={14} className="text-faint" aria-hidden />
        </Button>
      }
    >
      <MenuHeading>{label}</MenuHeading>
      {none && (
        <MenuItem hint={!chosen && <Check size={15} />} onSelect={() => onChange(undefined)}>
          {none}
        </MenuItem>
      )}
      {fields.map((field) => {
        const Symbol = kindOf(field.type).icon;
        return (
          <MenuItem
            key={field.id}
            icon={<Symbol size={15} />}
            hint={field.id === value && <Check size={15} />}
            onSelect={() => onChange(field.id)}
          >
            {field.name}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
