import { Download, File as FileIcon, Paperclip, RotateCcw, X } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useBase } from "../../access/base.ts";
import type { Attachment, Field } from "../../api/type.ts";
import { useText } from "../../text/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { join } from "../../ui/class.ts";
import { attachmentsOf, here } from "../file.ts";
import { type Sending, useUploads } from "../upload.ts";
import { preloadable } from "../../ui/preloadable.tsx";

const Preview = preloadable(async () => (await import("./preview.tsx")).default, null);

type Props = {
  field: Field;
  value: unknown;
  at: { id: string; "aria-describedby"?: string };
  disabled?: boolean;
  onChange: (value: unknown) => void;
  onUploading?: (field: Field, under: boolean) => void;
};

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

/**
 * The files of a record: to look at, to download, to remove, and to add by choosing, dropping or
 * pasting them.
 */
export function AttachmentControl({ field, value, at, disabled, onChange, onUploading }: Props) {
  const t = useText().file;
  const { base } = useBase();
  const tableId = base.tables.find((table) => table.fields.some((one) => one.id === field.id))?.id ?? "";
  const files = useMemo(() => attachmentsOf(value), [value]);
  const uploads = useUploads(tableId, files, (next) => onChange(next.length > 0 ? next : null));
  const under = uploads.sending.length > 0;
  useEffect(() => onUploading?.(field, under), [field, onUploading, under]);
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [shown, setShown] = useState<string>();
  const images = files.filter((file) => file.thumbnailUrl);

  return (
    // Dropping and pasting only add to the button, which does the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      id={at.id}
      role="group"
      aria-label={field.name}
      aria-describedby={at["aria-describedby"]}
      tabIndex={disabled ? undefined : 0}
      onPaste={(event) => {
        if (disabled || event.clipboardData.files.length === 0) return;
        event.preventDefault();
        uploads.add(event.clipboardData.files);
      }}
      onDragOver={(event) => {
        if (disabled || !event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={(event) => {
        if (disabled) return;
        event.preventDefault();
        setOver(false);
        uploads.add(event.dataTransfer.files);
      }}
      className={join("flex flex-col gap-1.5 rounded-md", over && "outline-2 outline-offset-4 outline-accent")}
    >
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          disabled={disabled}
          onShow={file.thumbnailUrl ? () => setShown(file.id) : undefined}
          onRemove={() => uploads.remove(file)}
        />
      ))}
      {uploads.sending.map((one) => (
        <SendingRow key={one.key} one={one} onStop={() => uploads.stop(one.key)} onAgain={() => uploads.again(one)} />
      ))}
      {disabled ? (
        files.length === 0 && <p className="text-[13px] text-faint">{t.none}</p>
      ) : (
        <div className="flex items-center gap-2.5 text-[13px] text-faint">
          <Button size="sm" icon={<Paperclip size={14} aria-hidden />} onClick={() => chooser.current?.click()}>
            {t.add}
          </Button>
          <span>{over ? t.dropNow : t.drop}</span>
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            aria-label={`${t.add}: ${field.name}`}
            onChange={(event) => {
              if (event.target.files) uploads.add(event.target.files);
              event.target.value = "";
            }}
          />
        </div>
      )}
      {shown !== undefined && (
        <Suspense>
          <Preview images={images} first={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

const tile = "grid size-10 shrink-0 place-items-center overflow-hidden rounded bg-sunken text-faint";

/** The small image of a file, or a sign in its place: also when its address has ended. */
function Thumbnail({ file }: { file: Attachment }) {
  const [failed, setFailed] = useState<string>();
  const address = file.thumbnailUrl;
  return (
    <span className={tile}>
      {address && address !== failed ? (
        <img
          src={here(address)}
          alt=""
          loading="lazy"
          className="size-full object-cover"
          onError={() => setFailed(address)}
        />
      ) : (
        <FileIcon size={18} aria-hidden />
      )}
    </span>
  );
}

function FileRow({
  file,
  disabled,
  onShow,
  onRemove,
}: {
  file: Attachment;
  disabled?: boolean;
  onShow?: () => void;
  onRemove: () => void;
}) {
  const t = useText().file;
  return (
    <div className="flex items-center gap-3 rounded-md border border-line bg-canvas p-2">
      {onShow ? (
        <button type="button" aria-label={t.preview(file.name)} onClick={onShow} className="rounded">
          <Thumbnail file={file} />
        </button>
      ) : (
        <Thumbnail file={file} />
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-[560]">{file.name}</span>
        <span className="text-[12.5px] text-faint">{fileSize(file.size)}</span>
      </span>
      {file.url && (
        <a
          href={here(file.url)}
          download={file.name}
          aria-label={t.download(file.name)}
          title={t.download(file.name)}
          className="grid size-7 place-items-center rounded text-faint hover:bg-hover hover:text-ink"
        >
          <Download size={15} aria-hidden />
        </a>
      )}
      {!disabled && (
        <IconButton size="sm" label={t.remove(file.name)} onClick={onRemove}>
          <X size={15} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function SendingRow({ one, onStop, onAgain }: { one: Sending; onStop: () => void; onAgain: () => void }) {
  const t = useText().file;
  const percent = Math.round(one.part * 100);
  return (
    <div className="flex items-center gap-3 rounded-md border border-line bg-canvas p-2">
      <span className={tile}>
        <FileIcon size={18} aria-hidden />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-[560]">{one.file.name}</span>
        {one.failure ? (
          <span role="alert" className="text-[12.5px] text-danger">
            {one.failure}
          </span>
        ) : (
          <progress
            aria-label={t.uploading(one.file.name)}
            max={100}
            value={percent}
            className="block h-1.5 w-full accent-accent"
          />
        )}
      </span>
      {one.failure && (
        <IconButton size="sm" label={t.again} onClick={onAgain}>
          <RotateCcw size={15} aria-hidden />
        </IconButton>
      )}
      <IconButton size="sm" label={one.failure ? t.dismiss(one.file.name) : t.stop(one.file.name)} onClick={onStop}>
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  );
}
