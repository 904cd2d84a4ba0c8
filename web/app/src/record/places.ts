/** Where each record is in a list of ids, counted when it is first asked for after the list has changed. */
export class Places {
  private known: Map<string, number> | undefined;

  constructor(private ids: () => readonly (string | undefined)[]) {}

  of(id: string): number | undefined {
    if (!this.known) {
      const known = new Map<string, number>();
      this.ids().forEach((one, index) => one !== undefined && known.set(one, index));
      this.known = known;
    }
    return this.known.get(id);
  }

  /** The list has changed. */
  outdate() {
    this.known = undefined;
  }
}
