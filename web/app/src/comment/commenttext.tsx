import type { Comment } from "../api/type.ts";
import { join } from "../ui/class.ts";
import { partsOf } from "./mention.ts";

type Props = { comment: Pick<Comment, "text" | "mentions">; me: string | undefined; className?: string };

/** The text of a comment. Mentions stand out, and those of who reads it the most. */
export function CommentText({ comment, me, className }: Props) {
  const mark = (person: string) =>
    join("rounded px-0.5 font-[560]", person === me ? "bg-warn-soft text-warn" : "bg-accent-soft text-accent-ink");
  return (
    <p className={join("leading-[1.5] break-words whitespace-pre-wrap", className)}>
      {partsOf(comment.text, comment.mentions).map(({ text, person }, index) =>
        person ? (
          // Parts never change their places.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={mark(person)}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </p>
  );
}
