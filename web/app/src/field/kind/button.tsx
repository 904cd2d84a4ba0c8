import { MousePointerClick } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { buttonAddress } from "../button.ts";
import { configPanel } from "../config/index.ts";
import type { FieldKind } from "../kind.ts";

export const button: FieldKind = {
  name: { en: "Button", de: "Schaltfläche", fr: "Bouton" },
  group: "relation",
  icon: MousePointerClick,
  width: 130,
  format: () => "",
  placeholder: (field) => field.config?.label ?? "",
  cell: { draw: (pen, _value, field) => pen.button(field.config?.label ?? field.name), opens: "address" },
  Control: ({ field, values, at }) => {
    const address = buttonAddress(field, values);
    const open = () => address && window.open(address, "_blank", "noopener,noreferrer");
    return (
      <div>
        <Button {...at} disabled={!address} onClick={open}>
          {field.config?.label ?? field.name}
        </Button>
      </div>
    );
  },
  Config: configPanel("ButtonConfig"),
};
