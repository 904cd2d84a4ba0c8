/** The browser's database of commands that are not done yet. */
export const databaseName = "rowhouse";

/** Reports whether the browser may keep commands of an earlier page. */
export async function mayHold(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return false;
  try {
    return (await indexedDB.databases()).some(({ name }) => name === databaseName);
  } catch {
    return true; // This browser cannot list its databases.
  }
}
