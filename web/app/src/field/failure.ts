/** An error that a computed field has in the place of a value. */
export type Failure = { error: string; message: string };

/** How an error is written where a value would stand. */
export const failureMark = "#ERROR";

/** The error in a value of a computed field. Values of other kinds may look the same. */
export function failureOf(value: unknown): Failure | undefined {
  const failed = typeof value === "object" && value !== null && "error" in value && "message" in value;
  return failed ? (value as Failure) : undefined;
}
