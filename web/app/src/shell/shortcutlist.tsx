import { type Catalogue, useText } from "../text/index.ts";
import { Dialog } from "../ui/dialog.tsx";
import { mod } from "./shortcut.ts";

type Group = { title: string; list: [keys: string[], meaning: string][] };

const groupsOf = (t: Catalogue["shortcut"]): Group[] => [
  {
    title: t.groups.general,
    list: [
      [[mod, "K"], t.list.palette],
      [["?"], t.list.help],
    ],
  },
  {
    title: t.groups.grid,
    list: [
      [["↑", "↓", "←", "→"], t.list.move],
      [["Tab"], t.list.next],
      [["Enter", "F2"], t.list.edit],
      [["Esc"], t.list.cancel],
      [["Shift", "↑↓←→"], t.list.range],
      [[mod, "C"], t.list.copy],
      [[mod, "V"], t.list.paste],
      [[mod, "D"], t.list.fill],
      [[mod, "R"], t.list.fillRight],
      [["Del"], t.list.clear],
      [[mod, "Z"], t.list.undo],
      [[mod, "Shift", "Z"], t.list.redo],
      [["Space"], t.list.expand],
      [["Shift", "F10"], t.list.menu],
      [[mod, "F"], t.list.search],
      [[mod, "H"], t.list.replace],
    ],
  },
];

export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useText().shortcut;
  return (
    <Dialog open onClose={onClose} title={t.title} size="lg">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <div tabIndex={0} className="grid gap-x-10 gap-y-5 outline-offset-4">
        {groupsOf(t).map((group) => (
          <section key={group.title}>
            <h3 className="mb-1.5 text-[13px] text-muted">{group.title}</h3>
            <dl className="grid gap-x-10 sm:grid-cols-2">
              {group.list.map(([keys, meaning]) => (
                <div key={keys.join()} className="flex min-h-9 items-center justify-between gap-4 border-b border-line">
                  <dt>{meaning}</dt>
                  <dd className="flex gap-1">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="rounded border border-line-strong bg-sunken px-1.5 font-sans text-[12px] text-muted"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
