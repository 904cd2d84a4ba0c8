import { FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, Suspense, useState } from "react";
import { useBase } from "../access/base.ts";
import { useLocale } from "../locale/locale.ts";
import { useJobText } from "../text/job.ts";
import { beginImport } from "../job/begin.ts";
import { preloadable } from "../ui/preloadable.tsx";

const ImportDialog = preloadable(async () => (await import("../csv/dialog.tsx")).default, null);

/** The types of files that become tables. Others, such as images for a cell, are left to what is below. */
const readable = /\.(csv|tsv|txt|xlsx|json|ndjson|jsonl|parquet|vcf|ics|zip)(\.gz|\.zst)?$/i;

const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");

/**
 * Imports a file that is dropped anywhere in a base, for those who may make tables. Several files become tables as they
 * are, and of one the dialog asks.
 */
export function DropImport({ children }: { children: ReactNode }) {
  const t = useJobText();
  const { base, canShape } = useBase();
  const locale = useLocale();
  const [over, setOver] = useState(false);
  const [file, setFile] = useState<File>();
  if (!canShape) return children;
  return (
    <div
      className="relative flex h-full min-h-0 min-w-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (event.defaultPrevented || !carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const files = [...event.dataTransfer.files].filter((file) => readable.test(file.name));
        if (event.defaultPrevented || files.length === 0) return;
        event.preventDefault();
        if (files.length === 1) setFile(files[0]);
        else for (const one of files) void beginImport(base.id, one, locale.tag, t);
      }}
    >
      {children}
      <Suspense>{file && <ImportDialog file={file} onClose={() => setFile(undefined)} />}</Suspense>
      {over && (
        <div
          className={
            "pointer-events-none absolute inset-2 z-40 grid place-content-center justify-items-center rounded-xl " +
            "border-2 border-dashed border-accent bg-accent-soft/90 text-accent-ink"
          }
        >
          <FileUp size={28} aria-hidden />
          <p className="mt-3 text-[16px] font-[580]">{t.drop}</p>
          <p className="mt-1 text-[13px]">{t.dropHint}</p>
        </div>
      )}
    </div>
  );
}
