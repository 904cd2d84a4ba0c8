import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { useCsvText } from "../text/csv.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { HelpLink } from "../ui/helplink.tsx";

/** Takes a file that is chosen or dropped. */
export function ChooseFile({ onChoose }: { onChoose: (file: File | undefined) => void }) {
  const t = useCsvText();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChoose(event.dataTransfer.files[0]);
      }}
      className={join(
        "flex flex-col items-center rounded-xl border border-dashed px-6 py-12 text-center",
        over ? "border-accent bg-accent-soft" : "border-line-strong bg-canvas",
      )}
    >
      <FileUp size={28} className="mb-4 text-faint" aria-hidden />
      <div className="flex items-center gap-2">
        <Button look="primary" onClick={() => input.current?.click()}>
          {t.choose}
        </Button>
        <span className="text-muted">{t.drop}</span>
      </div>
      <p className="mt-3 text-[13px] text-faint">{t.hint}</p>
      <HelpLink page="reference/csv" className="mt-1">
        {t.help}
      </HelpLink>
      <input
        ref={input}
        type="file"
        accept={
          ".csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.parquet,.vcf,.ics,.zip,.gz,.zst,text/csv," +
          "text/tab-separated-values"
        }
        hidden
        aria-label={t.choose}
        onChange={(event) => onChoose(event.target.files?.[0])}
      />
    </div>
  );
}
