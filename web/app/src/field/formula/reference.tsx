import { Plus } from "lucide-react";
import { useState } from "react";
import { useFormulaText } from "../../text/formula.ts";
import { IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/form.tsx";
import { type FormulaFunction, functions } from "./catalogue.ts";
import { Signature } from "./offerlist.tsx";

/** The functions of formulas by their categories, each with an example, to be found and inserted. */
export function Reference({ onInsert }: { onInsert: (one: FormulaFunction) => void }) {
  const t = useFormulaText();
  const [query, setQuery] = useState("");
  const words = query.trim().toLowerCase().split(/\s+/);
  const found = functions.filter(({ name, help, category }) => {
    const all = `${name} ${help} ${category}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const categories = [...new Set(found.map(({ category }) => category))];
  return (
    <section aria-label={t.functions} className="overflow-hidden rounded-lg border border-line">
      <div className="border-b border-line p-2">
        <Input
          type="search"
          aria-label={t.findFunction}
          placeholder={t.findFunction}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          // The form is not sent while somebody looks for a function.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <div tabIndex={0} className="max-h-64 overflow-y-auto overscroll-contain outline-offset-[-2px]">
        {found.length === 0 && <p className="p-3 text-muted">{t.noFunction}</p>}
        {categories.map((category) => (
          <section key={category}>
            <h3 className="sticky top-0 bg-sunken px-3 py-1.5 text-[12.5px] font-[560] text-muted">{category}</h3>
            <ul>
              {found
                .filter((one) => one.category === category)
                .map((one) => (
                  <li key={one.name} className="flex gap-2 border-b border-line px-3 py-2 last:border-0">
                    <div className="min-w-0 flex-1">
                      <Signature signature={one.signature} />
                      <p className="text-[13px]">{one.help}</p>
                      <p className="font-mono text-[12px] break-words text-muted [font-variant-ligatures:none]">
                        {one.example} {one.result === "" ? t.givesNothing : t.gives(one.result)}
                      </p>
                    </div>
                    <IconButton size="sm" label={t.insert(one.signature)} onClick={() => onInsert(one)}>
                      <Plus size={15} aria-hidden />
                    </IconButton>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
