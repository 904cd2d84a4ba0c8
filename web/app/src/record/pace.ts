/**
 * Does a piece of work shortly after it was asked for, once for all who ask meanwhile. While it is
 * asked for again and again, it is done less and less often.
 */
export class Pace {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private done = -Infinity;
  private pause = 0;

  constructor(
    private work: () => void,
    private first = 20, // milliseconds
    private shortest = 200,
    private longest = 3000,
  ) {}

  ask() {
    if (this.timer !== undefined) return;
    const since = performance.now() - this.done;
    if (since > 2 * this.pause) this.pause = 0;
    const rest = Math.max(this.first, this.pause - since);
    this.pause = Math.min(this.longest, Math.max(this.shortest, 1.5 * this.pause));
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.done = performance.now();
      this.work();
    }, rest);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
