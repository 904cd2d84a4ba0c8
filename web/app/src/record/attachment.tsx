import { File, X } from "lucide-react";
import type { Field } from "../api/type.ts";
import { attachmentsOf } from "../field/value.ts";
import { text } from "../text/index.ts";

type Props = { field: Field; value: unknown; at: { id: string }; disabled?: boolean; onChange: (value: unknown) => void };

const sizes = ["B", "kB", "MB", "GB"];

export function fileSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < sizes.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${sizes[unit]}`;
}

/** The files of a record. */
export function AttachmentControl({ value, at, disabled, onChange }: Props) {
  const files = attachmentsOf(value);
  return (
    <div id={at.id} className="flex flex-col gap-1.5">
      {files.map((file) => (
        <div key={file.id} className="flex items-center gap-3 rounded-md border border-line bg-canvas p-2">
          {file.thumbnailUrl ? (
            <img src={file.thumbnailUrl} alt="" className="size-10 rounded object-cover" />
          ) : (
            <span className="grid size-10 place-items-center rounded bg-sunken text-faint">
              <File size={18} aria-hidden />
            </span>
          )}
          <span className="min-w-0 flex-1">
            {file.url ? (
              <a href={file.url} className="block truncate font-[560] hover:underline" download={file.name}>
                {file.name}
              </a>
            ) : (
              <span className="block truncate font-[560]">{file.name}</span>
            )}
            <span className="text-[12.5px] text-faint">{fileSize(file.size)}</span>
          </span>
          {!disabled && (
            <button
              type="button"
              aria-label={text.field.removeFile(file.name)}
              onClick={() => onChange(files.filter((one) => one.id !== file.id))}
              className="grid size-7 place-items-center rounded text-faint hover:bg-hover hover:text-ink"
            >
              <X size={15} aria-hidden />
            </button>
          )}
        </div>
      ))}
      {files.length === 0 && <p className="text-[13px] text-faint">{text.field.attachSoon}</p>}
    </div>
  );
}
