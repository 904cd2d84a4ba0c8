import type { Comment } from "../api/type.ts";
import { join } from "../ui/class.ts";
import { piecesOf } from "./address.ts";
import { partsOf } from "./mention.ts";

type Props = { comment: Pick<Comment, "text" | "mentions">; me: string | undefined; className?: string };

/**
 * The text of a comment. Addresses are links. Mentions stand out, most of all mentions of the
 * reader.
 */
export function CommentText({ comment, me, className }: Props) {
  const mark = (person: string) =>
    join("rounded px-0.5 font-[560]", person === me ? "bg-warn-soft text-warn" : "bg-accent-soft text-accent-ink");
  // Parts never change their places.
  /* oxlint-disable react/no-array-index-key */
  return (
    <p className={join("leading-[1.5] break-words whitespace-pre-wrap", className)}>
      {partsOf(comment.text, comment.mentions).map(({ text, person }, index) =>
        person ? (
          <span key={index} className={mark(person)}>
            {text}
          </span>
        ) : (
          piecesOf(text).map((piece, place) =>
            piece.address ? (
              <a
                key={`${index} ${place}`}
                href={piece.address}
                target="_blank"
                rel="noopener noreferrer nofollow"
                className="text-accent-ink underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
              >
                {piece.text}
              </a>
            ) : (
              piece.text
            ),
          )
        ),
      )}
    </p>
  );
}
