/** Calls a function once, with the last arguments, when it was not asked to for some milliseconds. */
export default function debounce<A extends unknown[]>(call: (...args: A) => void, wait: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(call, wait, ...args);
  };
}
