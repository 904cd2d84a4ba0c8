import { SquareFunction } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Locale } from "../../locale/locale.ts";
import { useFormulaText } from "../../text/formula.ts";
import { join } from "../../ui/class.ts";
import type { KindOf } from "../kind.ts";
import type { Offer } from "./completion.ts";

const edge = 8; // pixels that stay free between the list and the window's edge

type Props = {
  id: string;
  offers: Offer[];
  active: number;
  locale: Locale;
  kindOf: KindOf;
  /** Where what is being written begins. */
  placeOf: () => DOMRect | undefined;
  onActive: (index: number) => void;
  onChoose: (offer: Offer) => void;
};

/** What a formula can be completed with, below the place where it is written. */
export function OfferList({ id, offers, active, locale, kindOf, placeOf, onActive, onChoose }: Props) {
  const t = useFormulaText();
  const list = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number }>();
  useLayoutEffect(() => {
    const settle = () => {
      const at = placeOf() ?? { left: edge, top: edge, bottom: edge };
      const box = list.current;
      if (!box) return;
      const below = at.bottom + 7;
      const fits = below + box.offsetHeight <= window.innerHeight - edge;
      const left = Math.max(edge, Math.min(at.left - 8, window.innerWidth - edge - box.offsetWidth));
      const top = fits ? below : Math.max(edge, at.top - 4 - box.offsetHeight);
      setPlace((now) => (now?.left === left && now.top === top ? now : { left, top }));
    };
    settle();
    window.addEventListener("scroll", settle, true);
    window.addEventListener("resize", settle);
    return () => {
      window.removeEventListener("scroll", settle, true);
      window.removeEventListener("resize", settle);
    };
  }, [placeOf]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return createPortal(
    <ul
      ref={list}
      id={id}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
      role="listbox"
      data-over
      aria-label={t.offers}
      style={place ?? { left: 0, top: 0, visibility: "hidden" }}
      className={join(
        "fixed z-60 max-h-72 w-[min(400px,calc(100vw-16px))] overflow-y-auto overscroll-contain",
        "rounded-lg border border-line bg-surface p-1 shadow-high",
      )}
    >
      {offers.map((offer, index) => {
        const Symbol = "field" in offer ? kindOf(offer.field.type).icon : SquareFunction;
        return (
          // The keys that choose are handled by the formula.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={"field" in offer ? offer.field.id : offer.function.name}
            id={`${id}-${index}`}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
            role="option"
            aria-selected={index === active}
            // The formula keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(offer)}
            onPointerMove={() => onActive(index)}
            className={join("flex items-start gap-2.5 rounded-md px-2 py-1.5", index === active && "bg-hover")}
          >
            <Symbol size={15} className="mt-0.75 shrink-0 text-faint" aria-hidden />
            {"field" in offer ? (
              <>
                <span className="min-w-0 flex-1 truncate">{offer.field.name}</span>
                <span className="shrink-0 text-[12.5px] text-faint">
                  {kindOf(offer.field.type).name[locale.language]}
                </span>
              </>
            ) : (
              <span className="min-w-0 flex-1">
                <Signature signature={offer.function.signature} />
                <span className={join("block text-[12.5px] text-muted", index !== active && "truncate")}>
                  {offer.function.help}
                </span>
              </span>
            )}
          </li>
        );
      })}
    </ul>,
    document.body,
  );
}

/** A function with its parameters, one of which may be the one that is being written. */
export function Signature({ signature, argument }: { signature: string; argument?: number }) {
  const open = signature.indexOf("(");
  const parameters = signature.slice(open + 1, -1).split(", ").filter(Boolean);
  // What is repeated is the last but the ones behind it.
  const repeated = parameters.indexOf("…");
  const shown = argument === undefined ? -1 : Math.min(argument, repeated > 0 ? repeated - 1 : parameters.length - 1);
  return (
    <code className="font-mono text-[12.5px] [font-variant-ligatures:none]">
      <span className="text-(--tone-purple-ink)">{signature.slice(0, open)}</span>
      <span className="text-muted">(</span>
      {parameters.map((parameter, index) => (
        <span key={parameter}>
          {index > 0 && <span className="text-muted">, </span>}
          <span className={index === shown ? "font-bold text-ink" : "text-muted"}>{parameter}</span>
        </span>
      ))}
      <span className="text-muted">)</span>
    </code>
  );
}
