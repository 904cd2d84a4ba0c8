import { Paperclip } from "lucide-react";
import { preloadable } from "../../ui/preloadable.tsx";
import { CardText } from "../control/card.tsx";
import { attachmentsOf, here } from "../file.ts";
import type { ControlProps, FieldKind } from "../kind.ts";
import { joinNames } from "../list.ts";

const namesOf = (value: unknown) => attachmentsOf(value).map((file) => file.name);

export const attachment: FieldKind = {
  name: { en: "Attachment", de: "Anhang", fr: "Pièce jointe" },
  group: "relation",
  icon: Paperclip,
  width: 180,
  format: (value) => namesOf(value).join(", "),
  identity: (value) => attachmentsOf(value).map((file) => file.id),
  copy: (value) => joinNames(namesOf(value)),
  cell: { draw: (pen, value) => pen.files(attachmentsOf(value)), opens: "record" },
  Control: preloadable<ControlProps>(async () => (await import("../control/attachment.tsx")).AttachmentControl),
  Card: ({ value }) => <CardText>{namesOf(value).join(", ")}</CardText>,
  csv: {},
  cover: {
    addressOf: (value) => {
      const file = attachmentsOf(value).find((one) => one.type?.startsWith("image/"));
      const address = file?.thumbnailUrl ?? file?.url;
      return address && here(address);
    },
    first: true,
  },
};
