import { Tabs } from "@base-ui/react/tabs";
import { Icon as Drawing } from "lucide-react";
import { Suspense, use, useState } from "react";
import type { Icon } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { Button } from "./button.tsx";
import { join } from "./class.ts";
import { Dialog } from "./dialog.tsx";
import { Input, Row } from "./form.tsx";
import { EntityIcon } from "./icon.tsx";
import { loadSymbols } from "./symbol.tsx";
import { complain } from "./toast.ts";
import { toneFrom, toneOf, type Tone } from "./tone.ts";
import { TonePicker } from "./tonepicker.tsx";

const emojis = [
  "🚀 📈 🗂️ 📅 ✅ 💡 🎯 🧭 🛠️ 🧪 📦 🛒 💰 🧾 🏷️ 📣 🎨 🖼️ 🎬 🎧",
  "📚 ✏️ 🔬 🧬 🏠 🏢 🏭 🏫 🌍 🗺️ ✈️ 🚆 🚲 🚚 ⛵ 🌱 🌳 🌻 🐝 🐟",
  "🦉 🍎 ☕ 🍕 🍷 ⚽ 🏆 🎉 ❤️ ⭐ 🔥 ⚡ 🔒 🔑 🧩 🎲 👥 🙋 🤝 💬",
  "📞 🩺 💻",
].flatMap((row) => row.split(" "));

const cell = join(
  "grid aspect-square place-items-center rounded-md text-[19px] hover:bg-hover",
  "aria-pressed:bg-accent-soft aria-pressed:text-accent-ink",
);

const symbols = loadSymbols();

type Props = { onClose: () => void; icon?: Icon | null; name: string; onSave: (icon: Icon) => Promise<unknown> };

/** Chooses an emoji, a symbol with a colour, or the address of an image. */
export default function IconDialog({ onClose, icon, name, onSave }: Props) {
  const text = useText();
  const t = text.home.icon;
  const [kind, setKind] = useState<Icon["kind"]>(icon?.kind ?? "emoji");
  const [value, setValue] = useState(icon?.value ?? "");
  const [tone, setTone] = useState<Tone>(toneFrom(icon?.color) ?? toneOf(name));
  const [busy, setBusy] = useState(false);
  const valid = value !== "" && (kind !== "image" || value.startsWith("https://"));
  const chosen: Icon = { kind, value, color: tone };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.title}
      footer={
        <>
          <Button onClick={onClose}>{text.action.cancel}</Button>
          <Button
            look="primary"
            disabled={!valid}
            busy={busy}
            onClick={async () => {
              setBusy(true);
              try {
                await onSave(chosen);
                onClose();
              } catch (error) {
                complain(error);
              } finally {
                setBusy(false);
              }
            }}
          >
            {t.use}
          </Button>
        </>
      }
    >
      <div className="mb-4 flex items-center gap-4">
        <EntityIcon icon={valid ? chosen : undefined} name={name} tone={tone} size={52} />
        <TonePicker label={t.color} value={tone} onChange={setTone} />
      </div>
      <Tabs.Root
        value={kind}
        onValueChange={(next) => {
          setKind(next as Icon["kind"]);
          setValue(next === icon?.kind ? (icon?.value ?? "") : "");
        }}
      >
        <Tabs.List className="mb-3 flex gap-1 border-b border-line">
          {(
            [
              ["emoji", t.emoji],
              ["lucide", t.symbol],
              ["image", t.image],
            ] as const
          ).map(([id, label]) => (
            <Tabs.Tab
              key={id}
              value={id}
              className={join(
                "-mb-px h-9 border-b-2 border-transparent px-3 text-muted",
                "data-[active]:border-accent data-[active]:text-ink",
              )}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="emoji">
          <div className="grid max-h-56 grid-cols-9 gap-1 overflow-y-auto">
            {emojis.map((emoji) => (
              <button
                key={emoji}
                type="button"
                aria-pressed={value === emoji}
                onClick={() => setValue(emoji)}
                className={cell}
              >
                {emoji}
              </button>
            ))}
          </div>
          <Row label={t.emojiLabel} className="mt-3">
            {(at) => (
              <Input {...at} maxLength={16} value={value} onChange={(event) => setValue(event.target.value.trim())} />
            )}
          </Row>
        </Tabs.Panel>
        <Tabs.Panel value="lucide">
          <div className="grid max-h-64 grid-cols-9 gap-1 overflow-y-auto p-0.5">
            <Suspense>
              <SymbolList value={value} onChoose={setValue} />
            </Suspense>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="image">
          <Row label={t.imageLabel} hint={t.imageHint}>
            {(at) => (
              <Input
                {...at}
                type="url"
                placeholder="https://"
                value={value}
                onChange={(event) => setValue(event.target.value.trim())}
              />
            )}
          </Row>
        </Tabs.Panel>
      </Tabs.Root>
    </Dialog>
  );
}

function SymbolList({ value, onChoose }: { value: string; onChoose: (name: string) => void }) {
  return Object.entries(use(symbols)).map(([id, node]) => (
    <button
      key={id}
      type="button"
      title={id}
      aria-label={id}
      aria-pressed={value === id}
      onClick={() => onChoose(id)}
      className={join(cell, "text-muted")}
    >
      <Drawing iconNode={node} size={18} aria-hidden />
    </button>
  ));
}
