import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import type { Attachment } from "../../api/type.ts";
import { useText } from "../../text/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { here } from "../file.ts";

type Props = { images: Attachment[]; first: string; onClose: () => void };

/** The images of a cell, one at a time and as large as there is room; the arrow keys go on. */
export default function Preview({ images, first, onClose }: Props) {
  const text = useText();
  const [place, setPlace] = useState(() =>
    Math.max(
      0,
      images.findIndex((image) => image.id === first),
    ),
  );
  const image = images[Math.min(place, images.length - 1)];
  const count = images.length;
  const go = (step: number) => setPlace((now) => (now + step + count) % count);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) setPlace((now) => (now + step + count) % count);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [count]);
  if (!image) return null;
  return (
    <Dialog
      open
      onClose={onClose}
      size="xl"
      title={image.name}
      description={images.length > 1 ? text.file.of(place + 1, images.length) : undefined}
    >
      <div className="flex items-center gap-2">
        {images.length > 1 && (
          <IconButton label={text.file.before} onClick={() => go(-1)}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
        )}
        <img
          src={here(image.url ?? image.thumbnailUrl ?? "")}
          alt={image.name}
          className="mx-auto max-h-[70dvh] min-w-0 rounded object-contain"
        />
        {images.length > 1 && (
          <IconButton label={text.file.after} onClick={() => go(1)}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
        )}
      </div>
    </Dialog>
  );
}
