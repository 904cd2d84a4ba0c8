/** Calls a function at once, and then at most every so many milliseconds, with the last arguments. */
export default function throttle<A extends unknown[]>(call: (...args: A) => void, wait: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: A | undefined;
  const rest = () => {
    timer = undefined;
    if (!last) return;
    const args = last;
    last = undefined;
    timer = setTimeout(rest, wait);
    call(...args);
  };
  return (...args) => {
    if (timer !== undefined) {
      last = args;
      return;
    }
    timer = setTimeout(rest, wait);
    call(...args);
  };
}
